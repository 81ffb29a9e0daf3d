"""Two weeks of nights of three games; see scripts/simulate-nights."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import re
import shutil
import time
from pathlib import Path

from server import Server, as_server, chown_to_server, programs, run as run_program
from simulation import STREAMS, Simulation, expect, main

GAMES = ("g1", "g2", "g3")
# The days before the nights, whose files are loaded in one run.
BACKFILL = 70
NIGHTS = 14
CONFIGURATION = """\
[defaults]
metrics = "{folder}/metrics.prom"
report = "{folder}/report.json"
quiet = true

[targets.g1]
database = "{database}"
app-id = "g1"
[[targets.g1.sources]]
paths = [{g1}]

[targets.g2]
database = "{database}"
app-id = "g2"
[[targets.g2.sources]]
paths = [{g2}]

# The files of a day are in a folder of their own, so a missing one does not show by its name.
[targets.g3]
database = "{database}"
app-id = "g3"
[[targets.g3.sources]]
paths = "{folder}/in/g3/%Y-%m-%d"
min-files = 1
"""


class Nights(Simulation):
    """The vendor's files by game and day, the inbox, a database for the nights, and one for the clean run."""

    def __init__(self, binary: Path, folder: Path) -> None:
        super().__init__(binary, folder)
        self.output = ""
        yesterday = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=1)
        self.days = [str(yesterday - datetime.timedelta(days=n)) for n in range(BACKFILL + NIGHTS - 1, -1, -1)]
        self.primary = Server(folder / "server")
        self.primary.make()
        self.primary.configure(log_statement="none", autovacuum="on", max_wal_size="1GB", fsync="on")
        self.primary.start()
        # Every server, the standby after the primary one.
        self.servers = [self.primary]
        self.create_databases("nights", "clean")
        # The nights are old, and the feeds of the small games vary much from day to day.
        for setting, value in (("max-age", "240000"), ("min-usual-lines", "300")):
            self.run("settings", "set", setting, value, "--database", self.conninfo("nights"))
        # Refused lines and corrections are brought in by hand.
        self.run("generate", str(folder / "all"), "--apps", str(len(GAMES)), "--users", "4000",
                 "--days", str(len(self.days)), "--until", self.days[-1], "--bad-share", "0")
        self.split_games()
        paths = {game: ", ".join(f'"{folder}/in/{game}/{stream}-%Y-%m-%d*"' for stream in STREAMS) for game in GAMES}
        # The last level-ups of the third game end before the night, so that eight days later are no matter of minutes.
        last = self.file("g3", "level_up", self.nights[2])
        lines = last.read_text(errors="replace").splitlines(keepends=True)
        last.write_text("".join(lines[:len(lines) * 6 // 10]))
        self.paths = paths
        self.configuration = folder / "gamebase-ingest.toml"
        self.configure()
        for game in GAMES:
            (folder / "in" / game).mkdir(parents=True)

    def configure(self) -> None:
        self.configuration.write_text(CONFIGURATION.format(
            folder=self.folder, database=self.conninfo("nights"), g1=self.paths["g1"], g2=self.paths["g2"]))
        self.configuration.chmod(0o600)

    def split_games(self) -> None:
        """Gives each game its own files; lines of no application go to the first one."""
        names: dict[str, str] = {}
        for stream in STREAMS:
            for day in self.days:
                lines: dict[str, list[str]] = {game: [] for game in GAMES}
                source = self.folder / "all" / stream / f"{stream}-{day}.jsonl"
                for line in source.read_text(errors="replace").splitlines(keepends=True) if source.exists() else []:
                    found = re.search(r'\\*"appId\\*"\s*:\s*\\*"(\w+)', line)
                    app = found[1] if found else None
                    game = names.setdefault(app, GAMES[len(names) % len(GAMES)]) if app else "g1"
                    lines[game].append(line.replace(app, game) if app else line)
                for game in GAMES:
                    path = self.file(game, stream, day)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text("".join(lines[game]))

    def close(self) -> None:
        for server in self.servers:
            server.destroy()

    # The parts of a night

    def conninfo(self, database: str) -> str:
        if len(self.servers) == 1:
            return self.primary.conninfo(database)
        hosts, ports = (",".join(str(value) for value in values) for values in zip(
            *((server.folder, server.port) for server in self.servers)))
        return f"host={hosts} port={ports} user=torture dbname={database} target_session_attrs=read-write"

    def file(self, game: str, stream: str, day: str) -> Path:
        """The vendor's file."""
        return self.folder / "vendor" / game / stream / f"{stream}-{day}.jsonl"

    def place(self, game: str, stream: str, day: str) -> Path:
        """The file in the inbox."""
        name = f"{stream}-{day}.jsonl"
        return self.folder / "in" / game / (f"{day}/{name}" if game == "g3" else name)

    def deliver(self, game: str, day: str, *streams: str) -> None:
        for stream in streams or STREAMS:
            place = self.place(game, stream, day)
            place.parent.mkdir(exist_ok=True)
            shutil.copy(self.file(game, stream, day), place)

    def night(self, game: str, day: str, what: str, code: int, *options: str, check: int | None = None,
              says: str = "", password: str = "") -> dict[str, object]:
        """Runs a night of a game; returns the report. The metrics and the check of the health must agree with it."""
        command = ("run", "--config", str(self.configuration), "--target", game)
        answer = self.run(*command, "--date", day, *options, code=code, password=password)
        self.output = answer.stderr
        expect(says in self.output, f"{what}: the messages say {says!r}", self.output)
        report: dict[str, object] = json.loads((self.folder / "report.json").read_text())
        expect(report["exit_code"] == code, f"{what}: the report has the exit code", report["exit_code"])
        metrics = (self.folder / "metrics.prom").read_text()
        expect(f'gamebase_ingest_run_exit_code{{target="{game}"}} {code}\n' in metrics, f"{what}: so have the metrics", metrics)
        if report["load_id"] is not None:
            entry = self.ask("nights", "select concat_ws(' ', exit_code, target, last_day) from ingest.load "
                             f"where load_id = {report['load_id']}")
            expect(entry == f"{code} {game} {day}", f"{what}: so has the ledger", entry)
        if check is not None:
            self.run("status", "--check", "--database", self.conninfo("nights"), code=check)
        print(f"{day} {game}: {what}   # exit {code}", flush=True)
        for line in self.output.splitlines():
            print("    " + line.replace(str(self.folder), ""), flush=True)
        return report

    def others(self, game: str, day: str) -> None:
        """The ordinary nights of the other games."""
        for other in GAMES:
            if other != game:
                # The level-ups of the third game stop after the third night.
                dead = other == "g3" and day > self.nights[2]
                self.deliver(other, day, *(stream for stream in STREAMS if not (dead and stream == "level_up")))
                stopped = dead and day > self.nights[9]
                self.night(other, day, "an ordinary night", 7 if stopped else 0,
                           says="stopped: level_up of g3" if stopped else "")

    @property
    def nights(self) -> list[str]:
        return self.days[BACKFILL:]

    # The nights

    def backfill(self) -> None:
        first, last = self.days[0], self.days[BACKFILL - 1]
        files = 0
        for game in GAMES:
            for day in self.days[:BACKFILL]:
                self.deliver(game, day)
            self.run("run", "--config", str(self.configuration), "--target", game, "--since", first, "--until", last)
            files += len(json.loads((self.folder / "report.json").read_text())["files"])
        expect(files >= 1000, "the backfill has a thousand files", files)
        print(f"{first} to {last}: a backfill of {files} files   # exit 0", flush=True)

    def quiet_day(self, day: str) -> None:
        self.others("g1", day)
        self.deliver("g1", day)
        self.place("g1", "item", day).write_bytes(b"")
        self.file("g1", "item", day).write_bytes(b"")
        # A day without an item is nothing unusual in this game.
        self.run("settings", "set", "min-daily-lines.item", "10000", "--database", self.conninfo("nights"))
        self.night("g1", day, "an empty file", 0, says="has no record", check=0)

    def no_file(self, day: str) -> None:
        self.others("g2", day)
        report = self.night("g2", day, "no file came", 7, check=7, says="is a pattern that no file matches")
        expect(report["night"]["causes"] == ["missing"], "the report tells the cause", report["night"])  # type: ignore

    def late_files(self, day: str, late: str) -> None:
        self.others("g2", day)
        self.deliver("g2", late)
        self.night("g2", late, "the files come a day late", 0, check=0)
        self.deliver("g2", day)
        self.night("g2", day, "an ordinary night", 0, check=0)

    def truncated_archive(self, day: str) -> None:
        self.others("g1", day)
        self.deliver("g1", day)
        whole = gzip.compress(self.place("g1", "receipt", day).read_bytes())
        self.place("g1", "receipt", day).unlink()
        archive = self.place("g1", "receipt", day).with_suffix(".jsonl.gz")
        archive.write_bytes(whole[:len(whole) // 2])
        self.night("g1", day, "an archive ends too early", 5, check=7, says="receipt")
        archive.write_bytes(whole)
        self.night("g1", day, "the whole archive", 0, check=0)

    def truncated_file(self, day: str) -> None:
        self.others("g1", day)
        self.deliver("g1", day)
        place = self.place("g1", "level_up", day)
        lines = place.read_text().splitlines(keepends=True)
        place.write_text("".join(lines[:len(lines) // 8]))
        report = self.night("g1", day, "a file ends between two lines", 7, check=7, says="implausible: ")
        expect(report["night"]["causes"] == ["implausible"], "the report tells the cause", report["night"])  # type: ignore
        self.run("undo", str(place), "--with-later", "--database", self.conninfo("nights"))
        report = self.night("g1", day, "the undone file is left alone", 7, check=7, says="undone")
        expect("undone" in report["night"]["causes"], "the report tells the cause", report["night"])  # type: ignore
        self.deliver("g1", day, "level_up")
        self.night("g1", day, "the whole file", 0, check=0)

    def correction(self, day: str) -> None:
        self.others("g2", day)
        self.deliver("g2", day)
        corrected = self.file("g2", "receipt", day)
        text = corrected.read_text(errors="replace")
        seen = re.findall(r'"paymentSeq"\s*:\s*"?(\w+)', text)
        lines = text.splitlines(keepends=True)
        event_payments = set(re.findall(r'paymentSeq\\*"\s*:\s*\\*"?(\w+)', "".join(
            self.file("g2", "event", one).read_text(errors="replace") for one in self.days)))
        changed = 0
        for number, line in enumerate(lines):
            found = re.search(r'"paymentSeq"\s*:\s*"?(\w+)', line)
            if not found or seen.count(found[1]) > 1 or found[1] in event_payments or '"USD"' not in line:
                continue
            new = re.sub(r'("price"\s*:\s*)"?[0-9.]+"?', r"\g<1>77.25", line, count=1)
            changed += new != line
            lines[number] = new
        self.night("g2", day, "an ordinary night", 0)
        place = self.place("g2", "receipt", day).with_name(f"receipt-{day}-corrected.jsonl")
        place.write_text("".join(lines))
        corrected.write_text("".join(lines))
        self.night("g2", day, "a corrected file", 3)
        expect(changed > 0, "prices were corrected", changed)
        again = self.night("g2", day, "a second run of the night", 3)
        expect(again["night"]["earlier_findings"], "the report names the load with the findings", again)  # type: ignore
        self.run("conflicts", "accept", "--file", place.name, "--database", self.conninfo("nights"))
        self.night("g2", day, "the corrections are accepted", 0, check=0)

    def wrong_login(self, day: str) -> None:
        self.others("g1", day)
        self.deliver("g1", day)
        nobody = self.conninfo("nights").replace("user=torture", "user=nobody_here")
        self.night("g1", day, "a role that does not exist", 78, "--database", nobody, says="nobody_here")
        self.ask("nights", "create role night_loader login superuser password 'right'")
        rules = self.primary.data / "pg_hba.conf"
        rules.write_text("local nights night_loader scram-sha-256\n" + rules.read_text())
        before = self.ask("nights", "select pg_conf_load_time()")
        self.primary.reload()
        while self.ask("nights", "select pg_conf_load_time()") == before:
            time.sleep(0.1)
        loader = self.conninfo("nights").replace("user=torture", "user=night_loader")
        self.night("g1", day, "a wrong password", 78, "--database", loader, says="28P01", password="wrong")
        self.primary.stop()
        self.night("g1", day, "the server is down", 69, "--retries", "0", says="cannot connect")
        self.primary.start()
        self.night("g1", day, "the server is back", 0, "--database", loader, check=0, password="right")

    def full_disk(self, day: str) -> None:
        self.others("g1", day)
        self.deliver("g1", day)
        if os.geteuid() != 0:
            print(f"{day} g1: a full disk needs root, for a small one   # not run", flush=True)
            self.night("g1", day, "an ordinary night", 0)
            return
        disk = self.folder / "disk"
        disk.mkdir()
        run_program(["mount", "-t", "tmpfs", "-o", "size=64m,mode=755", "tmpfs", str(disk)])
        try:
            chown_to_server(disk)
            self.ask("nights", f"create tablespace small location '{disk}'")
            month = self.ask("nights", f"select partition from ingest.month_partitions('level_up') "
                             f"where month = date_trunc('month', date '{day}')")
            self.ask("nights", f"alter table {month} set tablespace small")
            filler = disk / "filler"
            with filler.open("wb", buffering=0) as file:
                try:
                    while file.write(b"x" * 4096):
                        pass
                except OSError:
                    pass
            self.night("g1", day, "the disk of the server is full", 69, "--retries", "0", says="53100", check=7)
            filler.unlink()
            self.night("g1", day, "the disk has room again", 0, check=7)
            self.ask("nights", f"alter table {month} set tablespace pg_default")
            self.ask("nights", "drop tablespace small")
        finally:
            run_program(["umount", "-l", str(disk)])

    def failover(self, day: str) -> None:
        self.others("g1", day)
        self.deliver("g1", day)
        standby = Server(self.folder / "standby")
        standby.folder.mkdir()
        chown_to_server(standby.folder)
        run_program(as_server([
            str(programs() / "pg_basebackup"), f"--pgdata={standby.data}", "--write-recovery-conf", "--checkpoint=fast",
            f"--dbname=host={self.primary.folder} port={self.primary.port} user=torture"]))
        settings = standby.data / "postgresql.auto.conf"
        settings.write_text(settings.read_text() + f"port = '{standby.port}'\n"
                            f"unix_socket_directories = '{standby.folder}'\n")
        standby.start()
        self.servers.append(standby)
        self.configure()
        self.night("g1", day, "an ordinary night with a standby", 0, check=7)
        position = self.ask("nights", "select pg_current_wal_flush_lsn()")
        while standby.value("nights", f"select pg_last_wal_replay_lsn() >= '{position}'") != "t":
            time.sleep(0.1)
        self.primary.stop("immediate")
        self.night("g1", day, "the primary server is gone, and no other takes changes", 75, "--retries", "0",
                   says="standby")
        run_program(as_server([str(programs() / "pg_ctl"), "promote", "--wait", "--silent", f"--pgdata={standby.data}"]))
        self.night("g1", day, "the standby has taken over, and knows the files", 0, check=7)

    def ordinary(self, day: str) -> None:
        self.others("", day)

    def all(self) -> None:
        self.backfill()
        days = self.nights
        self.ordinary(days[0])
        self.quiet_day(days[1])
        self.no_file(days[2])
        self.late_files(days[3], days[2])
        self.truncated_archive(days[4])
        self.truncated_file(days[5])
        self.ordinary(days[6])
        self.ordinary(days[7])
        self.correction(days[8])
        self.wrong_login(days[9])
        self.full_disk(days[10])
        self.failover(days[11])
        for day in days[12:]:
            self.ordinary(day)
        self.compare()

    # The comparison at the end

    def compare(self) -> None:
        """Compares the tables of the nights with those of one load of the right files."""
        for game in GAMES:
            if game == "g3":
                for day in self.nights[3:]:
                    self.file(game, "level_up", day).unlink()
            self.run("load", str(self.folder / "vendor" / game), "--quiet", "--app-id", game, "--database",
                     self.conninfo("clean"))
        self.expect_equal_tables("nights", "clean")


main("simulate-nights", Nights)
