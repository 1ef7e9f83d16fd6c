"""What a build does when the cache dies, lies, stalls or does not know it.

The table of docs/remote.md says the same in words. Everything is built by the tree's own
configurations, with the cache server of this folder.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remote import cache_server
from tests.remote.cache_server import CacheServer, Fault
from tests.remote.workspace import Built, Workspace, expected, small_workspace
from tools.lint.tree import source_root
from tools.report.execution_log import read_log, read_profile

READ = "--config=remote-cache"
WRITE = "--config=ci-writer"
TARGET = "//:third"


@pytest.fixture(scope="module")
def server() -> Iterator[CacheServer]:
    made = CacheServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    made = small_workspace(source_root(), tmp_path_factory.mktemp("checkout") / "tree")
    yield made
    made.close()


@pytest.fixture(scope="module")
def filled(checkout: Workspace, server: CacheServer) -> dict[str, bytes]:
    """What the cache holds after continuous integration built."""
    endpoint(checkout, server.url)
    built = checkout.build(WRITE, TARGET)
    assert built.status == 0, built.said
    assert server.counts["PUT 201"] >= 9, server.counts
    return dict(server.blobs)


@pytest.fixture
def cache(server: CacheServer, checkout: Workspace, filled: dict[str, bytes]) -> CacheServer:
    """A filled, healthy cache, and a checkout that built nothing yet."""
    server.blobs = dict(filled)
    server.counts.clear()
    server.fault, server.delay, server.token, server.dies_after = None, 0.0, None, None
    endpoint(checkout, server.url)
    checkout.bazel("clean")
    return server


def endpoint(checkout: Workspace, url: str, *lines: str) -> None:
    checkout.settings(
        f"build:cache-endpoint --remote_cache={url}",
        "build --remote_retries=1 --remote_retry_max_delay=100ms",
        *lines,
    )


def right(checkout: Workspace, built: Built) -> None:
    """The build ended, and with the right output."""
    assert built.status == 0, built.said
    assert checkout.output("third.txt").decode() == expected("third"), built.said


def explained(text: str) -> None:
    """The guide to messages has this one."""
    assert text in (source_root() / "docs/errors.md").read_text(encoding="utf-8")


def ran(built: Built) -> int:
    """How many of the three actions ran here."""
    return built.actions - built.processes("remote cache hit")


def test_a_healthy_cache_gives_everything_and_gets_nothing(
    cache: CacheServer, checkout: Workspace
) -> None:
    built = checkout.build(READ, "--config=report", TARGET)
    right(checkout, built)
    assert built.processes("remote cache hit") == 3, built.said
    # What the report of a build is made of.
    assert [action.cached for action in read_log(checkout.root / "bazel-report.json")] == [True] * 3
    assert read_profile(checkout.root / "bazel-report.profile.gz").seconds > 0
    assert not any(count.startswith("PUT") for count in cache.counts), cache.counts
    # Only what was asked for came here.
    assert not (checkout.root / "bazel-bin/second.txt").exists()


def test_a_reader_writes_nothing_even_when_it_built(
    cache: CacheServer, checkout: Workspace
) -> None:
    cache.forget("/")
    built = checkout.build(READ, TARGET)
    right(checkout, built)
    assert ran(built) == 3, built.said
    assert cache.blobs == {}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (cache_server.garbage, "Protocol message"),
        (cache_server.broken, "500 Internal Server Error"),
    ],
)
def test_a_broken_server_is_done_without(
    cache: CacheServer, checkout: Workspace, fault: Fault, said: str
) -> None:
    cache.fault = fault
    built = checkout.build(READ, TARGET)
    right(checkout, built)
    assert ran(built) == 3, built.said
    assert said in built.said


@pytest.mark.parametrize("fault", [cache_server.flip, cache_server.truncate])
def test_a_corrupt_blob_is_never_believed(
    cache: CacheServer, checkout: Workspace, fault: Fault
) -> None:
    """The build ends with a message and without the output; made again as it says, it is right."""
    cache.fault = fault
    built = checkout.build(READ, TARGET)
    assert built.status == 39, built.said
    assert "does not match received digest" in built.said
    assert f"bazelw: the remote cache {cache.url} lost or spoilt" in built.said
    assert "--remote_download_outputs=all" in built.said
    assert not (checkout.root / "bazel-bin/third.txt").exists()
    again = checkout.build(READ, TARGET, "--remote_download_outputs=all")
    right(checkout, again)
    assert ran(again) == 3, again.said
    assert not any(count.startswith("PUT") for count in cache.counts), cache.counts


def test_a_result_of_another_action_is_no_result(cache: CacheServer, checkout: Workspace) -> None:
    """Results that name the outputs of other actions: all are exchanged."""
    paths = sorted(path for path in cache.blobs if "/ac/" in path)
    assert len(paths) == 3
    bodies = [cache.blobs[path] for path in paths]
    cache.blobs.update(zip(paths, bodies[1:] + bodies[:1], strict=True))
    built = checkout.build(READ, TARGET)
    right(checkout, built)
    assert ran(built) == 3, built.said


def sound(blobs: dict[str, bytes]) -> int:
    """The number of blobs. The contents of each have the digest in its name."""
    stored = {path: body for path, body in blobs.items() if "/cas/" in path}
    for path, body in stored.items():
        assert hashlib.sha256(body).hexdigest() == path.rpartition("/")[2], path
    return len(stored)


@pytest.mark.parametrize("fault", [cache_server.flip, cache_server.truncate])
def test_nothing_corrupt_enters_a_cache(
    cache: CacheServer, checkout: Workspace, fault: Fault, tmp_path: Path
) -> None:
    """Neither the one that this machine keeps, nor the server that a writer fills."""
    cache.fault = fault
    disk = tmp_path / "disk"
    options = ("--remote_download_outputs=all", f"--disk_cache={disk}")
    built = checkout.build(WRITE, TARGET, *options)
    right(checkout, built)
    assert ran(built) == 3, built.said
    assert sound(cache.blobs) >= 6
    kept = {str(path): path.read_bytes() for path in disk.glob("cas/**/*") if path.is_file()}
    assert sound(kept) >= 3


def test_a_forged_result_is_believed(cache: CacheServer, checkout: Workspace) -> None:
    """Why only continuous integration writes: another blob under the name of the output."""
    true = expected("third").encode()
    forged = true.swapcase()
    assert forged != true
    old, new = (hashlib.sha256(body).hexdigest() for body in (true, forged))
    assert f"/cas/{old}" in cache.blobs
    cache.blobs[f"/cas/{new}"] = forged
    results = {path: body for path, body in cache.blobs.items() if "/ac/" in path}
    cache.blobs |= {
        path: body.replace(old.encode(), new.encode()) for path, body in results.items()
    }
    built = checkout.build(READ, TARGET)
    assert built.status == 0, built.said
    assert checkout.output("third.txt") == forged


def test_a_hang_ends_after_the_timeout(cache: CacheServer, checkout: Workspace) -> None:
    cache.delay = 30
    started = time.monotonic()
    built = checkout.build(READ, TARGET, "--remote_timeout=1s")
    right(checkout, built)
    assert "timed out" in built.said
    assert time.monotonic() - started < 30 * 3, "it waited for every answer"


def test_the_cache_dies_in_the_middle(cache: CacheServer, checkout: Workspace) -> None:
    cache.dies_after = 3
    built = checkout.build(READ, TARGET)
    if built.status != 0:  # It died with what the last action reads.
        assert built.status == 39, built.said
        assert f"bazelw: the remote cache {cache.url} lost or spoilt" in built.said
        built = checkout.build(READ, TARGET, "--remote_download_outputs=all")
    right(checkout, built)


def test_the_cache_dies_in_the_middle_and_everything_is_fetched(
    cache: CacheServer, checkout: Workspace
) -> None:
    cache.dies_after = 3
    built = checkout.build(READ, TARGET, "--remote_download_outputs=all")
    right(checkout, built)
    assert ran(built) > 0, built.said


@pytest.mark.parametrize("part", ["/cas/", "/"])
def test_what_was_evicted_is_made_again(cache: CacheServer, checkout: Workspace, part: str) -> None:
    built = checkout.build(READ, "--remote_download_outputs=minimal", "//:second")
    assert built.processes("remote cache hit") == 2, built.said
    cache.forget(part)
    built = checkout.build(READ, TARGET)
    right(checkout, built)
    assert "retrying the build" in built.said


def test_the_disk_of_the_cache_is_full(cache: CacheServer, checkout: Workspace) -> None:
    cache.forget("/")
    cache.fault = cache_server.full
    built = checkout.build(WRITE, TARGET, "--remote_download_outputs=toplevel")
    right(checkout, built)
    assert "507" in built.said
    assert cache.blobs == {}


def test_nobody_answers(checkout: Workspace, cache: CacheServer) -> None:
    endpoint(checkout, "http://127.0.0.1:9")
    built = checkout.build(READ, TARGET)
    right(checkout, built)
    assert "Connection refused" in built.said
    assert "127.0.0.1:9" in built.said
    explained("Remote Cache: Connection refused")


def test_nobody_answers_and_there_is_no_fallback(checkout: Workspace, cache: CacheServer) -> None:
    checkout.settings("build:executor-endpoint --remote_executor=grpc://127.0.0.1:9")
    built = checkout.build("--config=remote", "--noremote_local_fallback", TARGET)
    assert built.status == 34, built.said
    assert "bazelw: the remote server grpc://127.0.0.1:9 cannot be used" in built.said
    assert "--remote_local_fallback" in built.said


@pytest.mark.parametrize(
    ("configuration", "missing"),
    [
        ("remote-cache", "cache-endpoint"),
        ("ci-writer", "cache-endpoint"),
        ("remote", "executor-endpoint"),
    ],
)
def test_nobody_said_where_it_is(checkout: Workspace, configuration: str, missing: str) -> None:
    checkout.settings()
    built = checkout.build(f"--config={configuration}", TARGET)
    assert built.status == 2
    assert f"Config value '{missing}' is not defined in any .rc file" in built.said
    explained(f"Config value '{missing}' is not defined")


# Who you are.

HELPER = "common --credential_helper=127.0.0.1=%workspace%/remote/credential-helper"


def jwt(end: float) -> str:
    """A token that expires; nobody here checks its signature."""
    parts = [{"alg": "none"}, {"exp": int(end)}]
    coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join(part.rstrip("=") for part in [*coded, "signature"])


@pytest.mark.parametrize("token", ["secret", jwt(time.time() + 3600)])
def test_the_right_token(cache: CacheServer, checkout: Workspace, token: str) -> None:
    cache.token = token
    endpoint(checkout, cache.url, HELPER)
    # Bazel keeps what a helper said for a while, and asks one by one.
    built = checkout.build(READ, "--credential_helper_cache_duration=0", TARGET, REMOTE_TOKEN=token)
    right(checkout, built)
    assert built.processes("remote cache hit") == 3, built.said


def test_the_wrong_token(cache: CacheServer, checkout: Workspace) -> None:
    cache.token = "secret"
    endpoint(checkout, cache.url, HELPER)
    built = checkout.build(
        READ, "--credential_helper_cache_duration=0", TARGET, REMOTE_TOKEN="a guess"
    )
    right(checkout, built)
    assert "401 Unauthorized" in built.said
    explained("Remote Cache: 401 Unauthorized")
    assert ran(built) == 3, built.said


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"REMOTE_TOKEN": jwt(1_000_000_000)}, "expired at 2001-09-09T01:46:40Z: get a new one"),
        ({}, "put it into REMOTE_TOKEN, or its file into REMOTE_TOKEN_FILE"),
        ({"REMOTE_TOKEN_FILE": "/no/such/file"}, "/no/such/file: No such file or directory"),
    ],
)
def test_a_token_that_cannot_be_used(
    cache: CacheServer, checkout: Workspace, environment: dict[str, str], said: str
) -> None:
    cache.token = "secret"
    endpoint(checkout, cache.url, HELPER)
    built = checkout.build(READ, "--credential_helper_cache_duration=0", TARGET, **environment)
    assert said in built.said
    assert cache.url.partition("//")[2] in built.said
    explained("the token for … expired at …")
    explained("no token for …")


# TLS.


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A self-signed certificate of 127.0.0.1, and its key."""
    openssl = shutil.which("openssl")
    if not openssl:
        pytest.skip("needs openssl to make a certificate")
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-keyout", "key.pem", "-out", "certificate.pem", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder / "certificate.pem", folder / "key.pem"


def test_tls(cache: CacheServer, checkout: Workspace, certificate: tuple[Path, Path]) -> None:
    secure = CacheServer(certificate)
    secure.blobs = dict(cache.blobs)
    try:
        endpoint(checkout, secure.url)
        refused = checkout.build(READ, TARGET)
        right(checkout, refused)
        # Which of them depends on who hangs up first.
        assert re.search("SSLEngine closed already|PKIX path|certificate", refused.said), (
            refused.said
        )
        assert ran(refused) == 3, refused.said
        explained("Remote Cache: SSLEngine closed already")
        explained("PKIX path building failed")
        checkout.bazel("clean")
        trusted = checkout.build(READ, TARGET, f"--tls_certificate={certificate[0]}")
        right(checkout, trusted)
        assert trusted.processes("remote cache hit") == 3, trusted.said
    finally:
        secure.close()


def test_each_test_that_the_guide_names_exists() -> None:
    guide = (source_root() / "docs/remote.md").read_text(encoding="utf-8")
    files = (source_root() / "tests/remote").glob("*_test.py")
    exist = set(re.findall(r"def (test_\w+)", "".join(path.read_text() for path in files)))
    named = set(re.findall(r"`(test_\w+)`", guide))
    assert len(named) > 20
    assert named <= exist, named - exist
