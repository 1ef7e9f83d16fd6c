"""Each fault that the doctor knows is planted and found, with a line to type."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.doctor import checkout, doctor, health

PROBE = Path(os.environ["PROBE"]).absolute()
GIB = 1 << 30


def statuses(findings: list[health.Finding]) -> list[str]:
    return [finding.status for finding in findings]


def fault(findings: list[health.Finding]) -> health.Finding:
    """The one that is not well; it has a line to type."""
    (found,) = [finding for finding in findings if finding.status != "ok"]
    assert found.line
    assert f"Type: {found.line}" in found.text()
    return found


def test_a_truncated_library_is_found_at_every_length(tmp_path: Path) -> None:
    whole = PROBE.read_bytes()
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib/libtorch_cpu.so"
    library.write_bytes(whole)
    assert health.broken_libraries([str(tmp_path)]) == []
    for length in (0, 10, 63, 64, len(whole) // 2, len(whole) - 1):
        library.write_bytes(whole[:length])
        found = fault(health.broken_libraries([str(tmp_path)]))
        assert found.file == str(library)
        assert "libtorch_cpu.so is damaged" in found.says
        assert found.line.startswith("pip install --force-reinstall")


def test_a_link_to_a_library_that_a_cache_has_is_no_damaged_library(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/libtorch_vulkan.so").symlink_to(tmp_path / "not_downloaded.so")
    (tmp_path / "lib/libtorch_cpu.so").write_bytes(PROBE.read_bytes()[:100])
    found = fault(health.broken_libraries([str(tmp_path)]))
    assert "libtorch_cpu.so is damaged" in found.says


def wheel(folder: Path) -> Path:
    (folder / "torch/lib").mkdir(parents=True)
    (folder / "torch-1.dist-info").mkdir()
    record = ""
    for name in ("torch/__init__.py", "torch/lib/libc10.so", "torch/lib/libtorch_cpu.so"):
        (folder / name).write_bytes(name.encode())
        digest = base64.urlsafe_b64encode(hashlib.sha256(name.encode()).digest())
        record += f"{name},sha256={digest.decode().rstrip('=')},{len(name)}\n"
    (folder / "torch-1.dist-info/RECORD").write_text(record + "torch-1.dist-info/RECORD,,\n")
    return folder / "torch"


def test_a_library_of_another_build_is_found_beside_an_installed_one(tmp_path: Path) -> None:
    package = wheel(tmp_path)
    assert statuses(health.mixed_files(package)) == ["ok"]
    (package / "lib/libc10.so").write_bytes(b"of another build")
    (package / "lib/libtorch_cpu.so").unlink()
    found = fault(health.mixed_files(package))
    assert "torch/lib/libc10.so is another file than the wheel's" in found.says
    assert "torch/lib/libtorch_cpu.so is missing" in found.says


def test_a_library_of_another_build_is_found_in_a_checkout(tmp_path: Path) -> None:
    for name in ("torch/_C.so", "torch/lib/libc10.so", "c10/libc10.so"):
        path = tmp_path / "bazel-bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PROBE.read_bytes())
    assert statuses(checkout.built(tmp_path)) == ["ok"]
    with (tmp_path / "bazel-bin/torch/lib/libc10.so").open("ab") as file:
        file.write(b"!")
    found = fault(checkout.built(tmp_path))
    assert "libc10.so beside _C.so is another file" in found.says
    assert found.line.endswith("./bazelw build //torch")


@pytest.mark.parametrize(("free", "status"), [(20 * GIB, "ok"), (3 * GIB, "warning"), (0, "fault")])
def test_a_full_disk(tmp_path: Path, free: int, status: str) -> None:
    found = health.disk("output", tmp_path / "not/there", 8 * GIB, "clean", free)
    assert (found.status, found.line) == (status, "" if status == "ok" else "clean")


def test_a_home_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert health.home().status in ("ok", "warning")
    for home in ("/proc", "/proc/no/such"):
        monkeypatch.setenv("HOME", home)
        assert "/proc cannot be written" in fault([health.home()]).says
    monkeypatch.delenv("HOME")
    assert fault([health.home()]).says == "HOME is not set"


def test_a_path_that_is_not_ascii() -> None:
    assert checkout.place(Path("/tmp/torch")).status == "ok"
    found = fault([checkout.place(Path("/tmp/Müller/torch"))])
    assert "ü" in found.says
    assert found.line == 'mv "/tmp/Müller/torch" ~/torch'


@pytest.mark.parametrize(
    "name", [".bazelrc.usr", "bazelrc.user", ".bazelrc-user", ".bazelrc.users"]
)
def test_misspelled_names_of_settings(tmp_path: Path, name: str) -> None:
    for good in (".bazelrc", ".bazelrc.mode", "README.md", ".bazelversion"):
        (tmp_path / good).touch()
    assert statuses(checkout.settings(tmp_path)) == ["ok"]
    (tmp_path / name).touch()
    found = fault(checkout.settings(tmp_path))
    assert found.line == f"mv {name} .bazelrc.user"


def test_settings_that_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / ".bazelrc.user"
    path.write_text("# mine\nbuild --blas=openblas\ntest:ci --test_output=all\n\n")
    assert checkout.settings(tmp_path)[0].says == "2 settings are read"
    path.write_text("build --jobs=2\nbiuld --blas=openblas\n")
    found = fault(checkout.settings(tmp_path))
    assert "line 2 begins with 'biuld'" in found.says
    subprocess.run(found.line, shell=True, check=True, cwd=tmp_path)
    assert statuses(checkout.settings(tmp_path)) == ["ok"]
    path.write_bytes("# f\u00fcr mich\nbuild --jobs=2\n".encode("latin-1"))
    assert "not UTF-8" in fault(checkout.settings(tmp_path)).says
    path.unlink()
    path.symlink_to(tmp_path / "gone")
    assert "cannot be read" in fault(checkout.settings(tmp_path)).says
    path.unlink()
    path.mkdir()
    assert fault(checkout.settings(tmp_path)).line == "rm -r .bazelrc.user"


def test_too_little_memory_for_the_jobs() -> None:
    assert health.memory(2, 8 * GIB, 0).status == "ok"
    found = fault([health.memory(64, 8 * GIB, 0)])
    assert found.status == "fault"
    assert found.line == "echo 'build --jobs=5' >> .bazelrc.user"
    killed = fault([health.memory(4, 64 * GIB, 3)])
    assert (killed.status, "killed 3 processes" in killed.says) == ("warning", True)
    assert health.available_memory() > 0


def test_a_clock_that_is_off(tmp_path: Path) -> None:
    file = tmp_path / "MODULE.bazel"
    file.touch()
    assert health.clock([file, tmp_path / "gone"]).status == "ok"
    found = fault([health.clock([file], now=time.time() - 3600)])
    assert "in the future: the clock is off" in found.says


@contextmanager
def server(status: int, body: bytes = b"", skew: float = 0) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response_only(status)
            self.send_header("Date", self.date_time_string(time.time() + skew))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Says nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{made.server_address[1]}"
        made.shutdown()


def test_remote_caches() -> None:
    with server(404) as url:
        assert checkout.remote("remote cache", url).status == "ok"
        assert checkout.remote("remote cache", url.replace("http", "grpc")).status == "ok"
    assert "does not answer" in fault([checkout.remote("remote cache", url)]).says
    assert "does not answer" in fault([checkout.remote("x", url.replace("http", "grpc"))]).says
    with server(200, b"<html>Sign in</html>") as url:
        assert "it is no cache" in fault([checkout.remote("remote cache", url)]).says
    with server(401) as url:
        assert "credential helper" in fault([checkout.remote("remote cache", url)]).says
    with server(404, skew=7200) as url:
        found = fault([checkout.remote("remote cache", url)])
        assert (found.part, "7200 s apart" in found.says or "7199 s" in found.says) == (
            "clock",
            True,
        )


def test_a_disk_cache_that_answers_wrongly(tmp_path: Path) -> None:
    for number in range(8):
        content = f"object file {number}".encode()
        name = hashlib.sha256(content).hexdigest()
        path = tmp_path / "cas" / name[:2] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert "fault" not in statuses(checkout.disk_cache(tmp_path))
    path.write_bytes(b"half of it")
    (found,) = checkout.disk_cache(tmp_path)
    assert (found.status, found.file, found.line) == ("fault", str(path), f"rm -rf {tmp_path}")
    assert "cannot be written" in fault(checkout.disk_cache(Path("/proc/cache"))).says


def test_credential_helpers(tmp_path: Path) -> None:
    helper = tmp_path / "helper"
    setting = "cache.example.com=%workspace%/helper"

    def ask() -> health.Finding:
        return checkout.credential_helper(tmp_path, setting, "grpcs://cache.example.com")

    assert "does not exist" in fault([ask()]).says
    helper.write_text('#!/bin/sh\ncat > asked; echo \'{"headers": {"Authorization": ["x"]}}\'\n')
    assert fault([ask()]).line == f"chmod +x {helper}"
    helper.chmod(0o755)
    found = ask()
    assert (found.status, "Authorization" in found.says) == ("ok", True)
    helper.write_text("#!/bin/sh\necho no token >&2; exit 1\n")
    assert "no token" in fault([ask()]).says
    helper.write_text("#!/bin/sh\necho hello\n")
    assert "its answer is no JSON" in fault([ask()]).says


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_compilers(tmp_path: Path) -> None:
    assert statuses(checkout.compiler({})) == ["ok"]
    broken = program(tmp_path / "cxx", "echo cannot execute cc1plus >&2; exit 1")
    found = fault(checkout.compiler({"CXX": str(broken)}))
    assert "cannot execute cc1plus" in found.says
    assert found.why == "CXX names it"
    assert (
        "there is no no-such-compiler" in fault(checkout.compiler({"CXX": "no-such-compiler"})).says
    )
    clang = program(tmp_path / "clang", "echo clang version 19")
    mixed = checkout.compiler({"CC": str(clang)})
    assert statuses(mixed) == ["ok", "warning"]
    assert mixed[1].line == "export CC=clang CXX=clang++"


def toolkit(folder: Path, version: str, header: str) -> tuple[str, Path]:
    program(folder / "bin/nvcc", f"echo 'Cuda compilation tools, release {version}, V{version}.48'")
    (folder / "include").mkdir()
    major, minor = header.split(".")
    text = f"#define CUDA_VERSION {int(major) * 1000 + int(minor) * 10}\n"
    (folder / "include/cuda.h").write_text(text)
    return "nvcc in PATH", folder


def test_two_toolkits(tmp_path: Path) -> None:
    one, other = toolkit(tmp_path / "a", "13.0", "13.0"), toolkit(tmp_path / "b", "12.8", "12.8")
    assert statuses(checkout.toolkits([one], True)) == ["ok"]
    assert checkout.toolkits([("the usual place", tmp_path / "none")], True) == []
    found = fault(checkout.toolkits([one, other], True))
    assert "two toolkits" in found.says
    assert found.line.endswith(f"CUDA_PATH={tmp_path / 'a'}' >> .bazelrc.user")
    assert fault(checkout.toolkits([one, other], False)).status == "warning"
    split = toolkit(tmp_path / "c", "12.8", "13.0")
    assert (
        "nvcc is of CUDA 12.8, its cuda.h of 13.0" in fault(checkout.toolkits([split], True)).says
    )
    assert (
        fault(checkout.toolkits([("CUDA_HOME", tmp_path / "none")], True)).line == "unset CUDA_HOME"
    )


def test_flags_of_the_files_and_the_command_line(tmp_path: Path) -> None:
    (tmp_path / ".bazelrc").write_text("build:far --remote_cache=grpc://far\nbuild --jobs=3\n")
    (tmp_path / ".bazelrc.user").write_text("build --config=ours # mine\nbuild:ours --config=far\n")
    found = checkout.flags(tmp_path, ["--jobs=7", "--cublas"])
    assert checkout.last(found, "remote_cache") == "grpc://far"
    assert (checkout.last(found, "jobs"), checkout.last(found, "cublas")) == ("7", "true")
    (tmp_path / ".bazelrc.user").unlink()
    assert checkout.last(checkout.flags(tmp_path, []), "remote_cache") == ""


def test_a_check_installs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAZELW_NO_INSTALL", raising=False)
    wrapper = tmp_path / "bazelw"
    wrapper.write_text(
        '#!/bin/sh\n[ -n "${BAZELW_NO_INSTALL:-}" ] || { touch installed; exit; }\n'
        'echo "bazelw: no Bazel 7.7.1, and BAZELW_NO_INSTALL is set. To install it:" >&2; exit 1\n'
    )
    wrapper.chmod(0o755)
    (finding,) = doctor.bazel(tmp_path)
    assert not (tmp_path / "installed").exists()
    assert finding.status == "fault"
    assert "has not installed it" in finding.says
    assert finding.line == "./bazelw --version"
    # Whoever forbids it reads so.
    monkeypatch.setenv("BAZELW_NO_INSTALL", "1")
    (finding,) = doctor.bazel(tmp_path)
    assert "BAZELW_NO_INSTALL is set" in finding.says


def test_the_probe_proves_what_this_build_has() -> None:
    found = doctor.probed(str(PROBE), "again")
    assert set(statuses(found)) == {"ok"}
    parts = {finding.part: finding for finding in found}
    assert {"C++ library", "libc", "BLAS", "LAPACK"} <= set(parts)
    assert Path(parts["libc"].file).is_file()
    assert parts["libc"].version


def test_a_library_that_computes_wrongly(tmp_path: Path) -> None:
    answer = {"part": "BLAS", "right": False, "says": "multiplies", "file": "", "version": "1"}
    wrong = program(tmp_path / "probe", f"echo '{json.dumps(answer)}'")
    assert "the result is wrong" in fault(doctor.probed(str(wrong), "again")).says
    dead = program(tmp_path / "dead", "echo cannot open libblas.so >&2; exit 127")
    assert "cannot open libblas.so" in fault(doctor.probed(str(dead), "again")).says


def test_libraries_of_options(tmp_path: Path) -> None:
    fact: dict[str, object] = {"library": "openblas", "option": "blas", "why": "pkg-config"}

    def of(**more: object) -> list[health.Finding]:
        return doctor.libraries({"facts": [fact | more]})

    assert statuses(of(files=[sys.executable])) == ["ok"]
    missing = "openblas was not found.\n\n    apt-get install libopenblas-dev\n"
    assert fault(of(missing=missing)).line == "apt-get install libopenblas-dev"
    assert "is gone" in fault(of(files=[str(tmp_path / "gone.so")])).says
    library = tmp_path / "libcudnn.so.9"
    library.write_bytes(b"\x7fELF")
    assert "does not load" in fault(of(option="cudnn", files=[str(library)])).says


def test_options_that_cannot_work_end_with_their_line() -> None:
    found = doctor.wrong_options("--nccl needs --cuda, but --cuda is off. Type: --nccl --cuda")
    assert (found.status, found.line) == ("fault", "--nccl --cuda")


def test_json_and_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(checkout, "compiler", lambda environment: [])
    (tmp_path / ".bazelrc.user").write_text("build --jobs=1\n")
    doctor.main(["--", "--json", "--quick"])
    report = json.loads(capsys.readouterr().out)
    faults = [finding for finding in report["findings"] if finding["status"] == "fault"]
    assert report["faults"] == len(faults)
    (tmp_path / "bazelrc.user").touch()
    assert doctor.main(["--", "--quick"]) == 1
    assert "Type: mv bazelrc.user .bazelrc.user" in capsys.readouterr().out
