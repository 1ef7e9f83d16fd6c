"""A real cluster for remote execution on one machine, for development and tests.

    ./remote/cluster up        installs what is missing, starts it, prints the settings for Bazel
    ./remote/cluster status    what runs, and the end of the log of what does not
    ./remote/cluster down      stops it; --clean forgets the cache and the logs too

PostgreSQL, BuildGrid (the scheduler), buildbox-casd (the cache) and workers, as in production, on
loopback only and without root. docs/remote.md says more.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from programs import Programs, install

SERVICES = ("postgres", "casd", "buildgrid")
START_SECONDS = 60


def state_folder() -> Path:
    """Where programs, cache and logs are kept by default."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "torch-bazel-cluster")


def start_time(pid: int) -> str | None:
    """When a process started, in the kernel's words: no other process has the same pair."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def lives(group: int | None) -> bool:
    """Whether a process of a group runs. A zombie does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[2]) == group:
            return True
    return False


def listens(port: int) -> bool:
    """Whether a port of this machine accepts connections."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@dataclass(frozen=True)
class Cluster:
    """A cluster in a folder.

    Attributes:
      folder: the database, the cache, the logs, and what is known of the processes.
      programs: what it runs.
    """

    folder: Path
    programs: Programs

    # What runs.

    def record(self, name: str) -> Path:
        """The file that says which process a service is."""
        return self.folder / "run" / f"{name}.json"

    def log(self, name: str) -> Path:
        """The log of a service."""
        return self.folder / "logs" / f"{name}.log"

    def names(self) -> list[str]:
        """Every service that was started."""
        workers = sorted(path.stem for path in (self.folder / "run").glob("worker*.json"))
        return [name for name in SERVICES if self.record(name).exists()] + workers

    def pid(self, name: str) -> int | None:
        """The process of a service, if it lives."""
        try:
            known = json.loads(self.record(name).read_text(encoding="utf-8"))
        except OSError:
            return None
        pid: int = known["pid"]
        return pid if start_time(pid) == known["start"] else None

    def launch(self, name: str, command: Sequence[str | Path]) -> None:
        """Starts a service in a session of its own.

        Starts it again when it ends, as whoever runs one in production does; but what ends at once
        is broken.
        """
        again = (
            'while :; do end=$(($(date +%s) + 3)); "$@"; [ $(date +%s) -ge $end ] || exit 1; done'
        )
        command = ["/bin/sh", "-c", again, name, *command]
        path = f"{self.programs.root}/bin{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        with self.log(name).open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(map(str, command[4:]))}\n")
            log.flush()
            process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={"PATH": path, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
                start_new_session=True,
            )
        known = {
            "pid": process.pid,
            "start": start_time(process.pid),
            "command": list(map(str, command)),
        }
        self.record(name).write_text(json.dumps(known), encoding="utf-8")

    def stop(self, name: str, number: signal.Signals = signal.SIGTERM, seconds: float = 10) -> None:
        """Stops a service and what it started; kills it if it does not end in time."""
        pid = self.pid(name)
        for attempt in (number, signal.SIGKILL):
            if pid is None or not lives(pid):
                break
            os.killpg(pid, attempt)
            deadline = time.monotonic() + seconds
            # Its children may take longer than it does.
            while lives(pid) and time.monotonic() < deadline:
                time.sleep(0.05)
        self.record(name).unlink(missing_ok=True)

    def wait(self, name: str, ready: Callable[[], bool]) -> None:
        """Waits until a service answers."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.pid(name) is not None:
            if ready():
                return
            time.sleep(0.1)
        sys.exit(
            f"{self.tail(name)}cluster: {name} does not answer. Its log is {self.log(name)}; "
            "if the port is another program's:\n    ./remote/cluster up --port 9980"
        )

    def tail(self, name: str, lines: int = 10) -> str:
        """The end of a log."""
        log = self.log(name)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        return "".join(text.splitlines(True)[-lines:])

    # The services.

    @property
    def database(self) -> str:
        """How to connect to the database."""
        return f"postgresql://buildgrid@/postgres?host={self.folder / 'run'}"

    def start_postgres(self) -> None:
        """Starts the database."""
        data = self.folder / "database"
        sockets = self.folder / "run"
        if len(str(sockets)) > 85:
            sys.exit(
                f"cluster: the path {sockets} is too long for a socket. A shorter one:\n"
                "    ./remote/cluster --folder /tmp/cluster up"
            )
        # PostgreSQL refuses to run as root; in a user namespace root is somebody else.
        prefix = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
        as_user = prefix if os.geteuid() == 0 else []
        bin_folder = self.programs.postgres
        if not (data / "PG_VERSION").exists():
            command = [*as_user, str(bin_folder / "initdb"), "-D", str(data), "-U", "buildgrid"]
            command += ["-A", "trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
            with self.log("postgres").open("a", encoding="utf-8") as log:
                if subprocess.run(command, stdout=log, stderr=log, check=False).returncode != 0:
                    sys.exit(f"{self.tail('postgres')}cluster: initdb failed")
        settings = ["listen_addresses=", f"unix_socket_directories={sockets}", "fsync=off"]
        options = [word for setting in settings for word in ("-c", setting)]
        self.launch("postgres", [*as_user, bin_folder / "postgres", "-D", data, *options])
        ready = [bin_folder / "pg_isready", "--quiet", "--host", sockets]
        self.wait("postgres", lambda: subprocess.run(ready, check=False).returncode == 0)

    def migrate(self) -> None:
        """Makes BuildGrid's tables."""
        with self.log("buildgrid").open("a", encoding="utf-8") as log:
            command = [str(self.programs.bgd), "migrate", "apply", self.database]
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode == 0:
                return
        sys.exit(f"{self.tail('buildgrid')}cluster: BuildGrid cannot make its tables")

    def start_casd(self, cas_port: int, quota: str) -> None:
        """Starts the cache."""
        command = [self.programs.buildbox("casd"), f"--bind=127.0.0.1:{cas_port}"]
        command += [f"--quota-high={quota}", "--log-level=warning", self.folder / "cas"]
        self.launch("casd", command)
        self.wait("casd", lambda: listens(cas_port))

    def start_buildgrid(self, options: argparse.Namespace) -> None:
        """Starts the scheduler."""
        template = Path(__file__).resolve().with_name("buildgrid.yml").read_text(encoding="utf-8")
        settings = self.folder / "run/buildgrid.yml"
        text = Template(template).substitute(
            port=options.port,
            cas_port=options.port + 1,
            database=self.database,
            worker_timeout=options.worker_timeout,
            queue_timeout=options.queue_timeout,
        )
        settings.write_text(text, encoding="utf-8")
        run = [sys.executable, Path(__file__).resolve().with_name("scheduler.py")]
        run.append(f"127.0.0.1:{options.port + 1}")
        self.launch("buildgrid", [*run, self.programs.bgd, "server", "start", settings])
        self.wait("buildgrid", lambda: listens(options.port))

    def start_worker(self, number: int, options: argparse.Namespace) -> None:
        """Starts a worker."""
        runner = "run-bubblewrap" if options.sandbox else "run-hosttools"
        command = [
            self.programs.buildbox("worker"),
            f"--bots-remote=http://127.0.0.1:{options.port}",
        ]
        command += [f"--cas-remote=http://127.0.0.1:{options.port + 1}"]
        command += [f"--buildbox-run={self.programs.buildbox(runner)}"]
        command += [f"--concurrent-jobs={options.jobs}", "--platform=OSFamily=linux"]
        command += [f"--platform=pool={pool}" for pool in options.pools]
        command += ["--log-level=info", "--bots-retry-limit=10", "--cas-retry-limit=4"]
        # An action gets copies: FUSE wants privileges, and leaves mounts when casd is killed.
        command.append("--runner-arg=--staging-mode=copy-or-link")
        if options.sandbox:
            # It takes no link for what the link points to.
            binds = [f"{Path(path).resolve()}:{path}" for path in options.binds]
            command += [f"--runner-arg=--ro-bind-mount={bind}" for bind in binds]
        self.launch(f"worker{number}", [*command, f"worker{number}"])


def bazel_settings(port: int) -> str:
    """What .bazelrc.user says to use the cluster."""
    return (
        f"build:executor-endpoint --remote_executor=grpc://127.0.0.1:{port}\n"
        f"build:cache-endpoint --remote_cache=grpc://127.0.0.1:{port}\n"
    )


def up(options: argparse.Namespace) -> int:
    """Starts what does not run."""
    cluster = Cluster(options.folder, install(options.programs))
    for folder in ("run", "logs", "cas"):
        (cluster.folder / folder).mkdir(parents=True, exist_ok=True)
    if cluster.pid("postgres") is None:
        cluster.start_postgres()
    cluster.migrate()
    if cluster.pid("casd") is None:
        cluster.start_casd(options.port + 1, options.quota)
    if cluster.pid("buildgrid") is None:
        cluster.start_buildgrid(options)
    for number in range(1, options.workers + 1):
        if cluster.pid(f"worker{number}") is None:
            cluster.start_worker(number, options)
    print(f"cluster: up, logs in {cluster.folder / 'logs'}. For .bazelrc.user:\n")
    print(bazel_settings(options.port))
    print("    ./bazelw test --config=remote //c10/...")
    return 0


def status(options: argparse.Namespace) -> int:
    """Says what runs; 1 if something died, or nothing was started."""
    cluster = Cluster(options.folder, Programs(options.programs))
    names = cluster.names()
    if not names:
        print("cluster: nothing runs. To start it:\n    ./remote/cluster up")
        return 1
    dead = [name for name in names if cluster.pid(name) is None]
    for name in names:
        state = "dead" if name in dead else f"pid {cluster.pid(name)}"
        print(f"{name:12}{state:14}{cluster.log(name)}")
    for name in dead:
        print(f"\n{name} died; the end of its log:\n{cluster.tail(name)}")
    return 1 if dead else 0


def down(options: argparse.Namespace) -> int:
    """Stops everything."""
    cluster = Cluster(options.folder, Programs(options.programs))
    names = cluster.names()
    for name in reversed(names):
        # PostgreSQL's way to stop at once.
        cluster.stop(name, signal.SIGINT if name == "postgres" else signal.SIGTERM)
    print(f"cluster: stopped {', '.join(names) or 'nothing: nothing ran'}")
    if options.clean:
        for folder in ("cas", "database", "logs", "run"):
            shutil.rmtree(cluster.folder / folder, ignore_errors=True)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="./remote/cluster",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--folder", type=Path, help="database, cache, logs (%(default)s)")
    parser.add_argument("--programs", type=Path, help="installed programs (%(default)s)")
    parser.set_defaults(folder=state_folder(), programs=state_folder() / "programs")
    commands = parser.add_subparsers(dest="command", required=True)
    starts = commands.add_parser("up", help="start it")
    starts.add_argument("--port", type=int, default=8980, help="scheduler; the cache's is the next")
    starts.add_argument("--workers", type=int, default=2, help="how many (%(default)s)")
    starts.add_argument("--jobs", type=int, default=1, help="actions at once, each (%(default)s)")
    starts.add_argument("--quota", default="20G", help="size of the cache on disk (%(default)s)")
    starts.add_argument("--pools", nargs="*", default=["light"], help="worker pools (%(default)s)")
    starts.add_argument(
        "--worker-timeout", type=int, default=30, help="seconds until a silent worker is dead"
    )
    starts.add_argument(
        "--queue-timeout",
        type=int,
        default=1800,
        help="seconds until Bazel gets an action back that no worker took (%(default)s)",
    )
    starts.add_argument(
        "--sandbox", action="store_true", help="run actions in bubblewrap, which sees --binds alone"
    )
    starts.add_argument(
        "--binds",
        nargs="*",
        default=["/usr", "/bin", "/lib", "/lib64", "/etc"],
        help="folders of this machine that sandboxed actions see",
    )
    starts.set_defaults(run=up)
    commands.add_parser("status", help="what runs").set_defaults(run=status)
    stops = commands.add_parser("down", help="stop it")
    stops.add_argument("--clean", action="store_true", help="forget cache, queue and logs")
    stops.set_defaults(run=down)
    options = parser.parse_args(arguments)
    options.folder = options.folder.resolve()
    options.programs = options.programs.resolve()
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    sys.exit(main())
