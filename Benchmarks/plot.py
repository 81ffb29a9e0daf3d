"""Draws the ways' medians as multiples of the limit: plot.py RESULTS.json PLOT.svg [PICTURE.png]

It runs with the Python of .build/bench-python, which has matplotlib; the other modules do not need it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from results import Results  # noqa: E402

# A panel with its own background is readable on light and dark pages.
PAPER, INK, FAINT = "#fbfaf7", "#24292f", "#8b949e"
OURS, LIMIT, OTHERS = "#2f6f4f", "#8b949e", "#b5622c"
GROUPS = (
    ("receipt", "Receipts"), ("level_up", "Level-ups"), ("game_user", "Game users"), ("item", "Shop items"),
    ("event", "Events, a tenth of them with a receipt"),
    ("peer", "Receipts, by other means"))
# A longer bar is cut here, so that short ones stay distinguishable.
LONGEST = 8.0


def bars(results: Results) -> list[tuple[str, str, float, float, float]]:
    """Group, label, ratio, and its minimum and maximum, ordered by group."""
    found = []
    for group, _ in GROUPS:
        limit = results.summary(f"{'receipt' if group == 'peer' else group}/limit")
        for name, label in results.labels.items():
            summary = results.summary(name)
            if limit and summary and name.startswith(f"{group}/"):
                found.append((
                    group, label.replace("`", ""), summary.median / limit.median,
                    summary.least / limit.median, summary.most / limit.median))
    others = sorted((bar for bar in found if bar[0] == "peer"), key=lambda bar: bar[2])
    return [bar for bar in found if bar[0] != "peer"] + others


def color(group: str, label: str) -> str:
    return OTHERS if group == "peer" else LIMIT if label == "limit" else OURS


def draw(results: Results, path: Path, picture: Path | None) -> None:
    found = bars(results)
    titles = dict(GROUPS)
    # The position of each bar from the top, with room for its group's title.
    places, heads, place, last = [], [], 0.0, ""
    for group, *_ in found:
        if group != last:
            place += 1.1 if last else 0.2
            heads.append((place, titles[group]))
            place += 0.95
            last = group
        places.append(place)
        place += 1.0

    figure, axes = plt.subplots(figsize=(9.5, 0.27 * place + 1.0), facecolor=PAPER)
    axes.set_facecolor(PAPER)
    for (group, label, ratio, least, most), at in zip(found, places):
        shown = min(ratio, LONGEST)
        axes.barh(at, shown, height=0.7, color=color(group, label), zorder=2)
        if least < LONGEST:
            axes.plot(
                [least, min(most, LONGEST)], [at, at], color=INK, linewidth=1.1, zorder=3)
        axes.text(
            max(shown, min(most, LONGEST)) + 0.06, at, f"{ratio:.2f}", va="center", fontsize=8.5,
            color=INK)
    for at, title in heads:
        axes.text(
            0, at, title, transform=axes.get_yaxis_transform(), ha="left", va="center",
            fontsize=9.5, fontweight="bold", color=INK, zorder=4,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5})
    axes.axvline(1, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.set_yticks(places, [label for _, label, *_ in found], fontsize=8.5, color=INK)
    axes.set_ylim(place - 0.2, -0.6)
    longest = max((min(most, LONGEST) for *_, most in found), default=1.0)
    axes.set_xlim(0, max(1.2, longest) + 0.5)
    axes.tick_params(axis="x", colors=INK, labelsize=8.5)
    axes.tick_params(axis="y", length=0)
    cut = f"; bars end at {LONGEST:.0f}" if any(bar[2] > LONGEST for bar in found) else ""
    axes.set_xlabel(
        f"× limit: medians, with least to most{cut}", fontsize=8.5, color=INK)
    axes.set_title(
        f"Wall time of {results.lines:,} lines, as a multiple of the limit", loc="left",
        fontsize=11, color=INK)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None}, facecolor=PAPER)
    if picture:
        figure.savefig(picture, dpi=110, facecolor=PAPER)


def main() -> None:
    # The same results give the same bytes; text is drawn as paths, so that no font is needed.
    matplotlib.rcParams |= {"svg.hashsalt": "gamebase-ingest", "svg.fonttype": "path"}
    results, path, *more = map(Path, sys.argv[1:])
    draw(Results.read(results), path, more[0] if more else None)


if __name__ == "__main__":
    main()
