"""What becomes of nvcc's dry run. tests/cuda compiles and runs a program with the real one."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tools.cuda import nvcc_steps

DRY_RUN = """\
#$ _SPACE_=
#$ CICC_PATH=/cuda/nvvm/bin
#$ gcc -D__CUDA_ARCH__=800 -E -x c++ "k.cu" -o "/tmp/tmpxft_00003cc3_00000000-8_k.cpp1.ii"
#$ "$CICC_PATH/cicc" --orig_src_path_name "{cwd}/k.cu" --gen_module_id_file \
--module_id_file_name "/tmp/tmpxft_00003cc3_00000000-4_k.module_id" --include_file_name \
"tmpxft_00003cc3_00000000-3_k.fatbin.c" --stub_file_name \
"/tmp/tmpxft_00003cc3_00000000-7_k.stub.c" -o "k.ptx"
#$ rm /tmp/tmpxft_00003cc3_00000000-3_k.fatbin
"""


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> nvcc_steps.Steps:
    monkeypatch.chdir(tmp_path)
    return nvcc_steps.parse_dry_run(DRY_RUN.replace("{cwd}", str(tmp_path)))


def test_a_dry_run_is_an_environment_and_commands(steps: nvcc_steps.Steps) -> None:
    assert steps.environment == {"_SPACE_": "", "CICC_PATH": "/cuda/nvvm/bin"}
    assert [command.split()[0] for command in steps.commands] == ["gcc", '"$CICC_PATH/cicc"']


def test_a_missing_step_is_named_with_what_nvcc_printed(steps: nvcc_steps.Steps) -> None:
    with pytest.raises(
        nvcc_steps.StepError, match=r"printed 0 steps with cudafe\+\+, wanted one(.|\n)*cicc"
    ):
        steps.find("cudafe++")


def test_a_step_names_no_place_and_no_time(steps: nvcc_steps.Steps, tmp_path: Path) -> None:
    work = nvcc_steps.Work("out/k.cubin", "pkg/k.cu")
    command = work.step(steps.find("cicc"), stub="stub.c", fatbin="fatbin.c")
    assert "tmpxft" not in command
    assert str(tmp_path) not in command
    assert "--gen_module_id_file" not in command
    assert '--module_id_file_name "out/k.cubin.steps/module_id"' in command
    assert '--stub_file_name "stub.c"' in command
    assert '--include_file_name "fatbin.c"' in command
    assert work.module_id.read_text() == nvcc_steps.module_id("pkg/k.cu")
    work.close()
    assert not work.path.exists()


def test_module_ids_differ_where_only_the_directory_does() -> None:
    ids = {nvcc_steps.module_id(path) for path in ("a/k.cu", "b/k.cu", "a/k2.cu")}
    assert len(ids) == 3
    assert all(identifier.isidentifier() for identifier in ids)


def test_stubs_of_two_architectures_are_the_same() -> None:
    stubs = [
        f'# 1 "k.{arch}.stub.c"\nstatic void f(void **__T{n}){{g(__T{n});h(__T{n + 1});}}\n'
        for arch, n in (("80", 989), ("90", 1021))
    ]
    assert stubs[0] != stubs[1]
    assert nvcc_steps.same_stub(stubs[0]) == nvcc_steps.same_stub(stubs[1])
    assert "g(__T0);h(__T1)" in nvcc_steps.same_stub(stubs[0])


def test_dependencies_are_read_over_several_lines() -> None:
    assert nvcc_steps.written_dependencies("inputs: k.cu \\\n a.cuh b\\ c.h\n") == {
        "k.cu",
        "a.cuh",
        "b c.h",
    }


def test_options_that_nvcc_refuses_are_reported_in_its_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nvcc = tmp_path / "nvcc"
    nvcc.write_text(
        "#!/bin/sh\necho \"nvcc fatal : Unsupported gpu architecture 'sm_1'\" >&2\nexit 1\n"
    )
    nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
    status = nvcc_steps.main(
        ["device", "--nvcc", str(nvcc), "--source", "k.cu", "--arch", "1", "--stub", "s"]
        + ["--cubin", "c", "--ptx", "p", "--unused", "u"]
    )
    assert status == 1
    assert "k.cu: " in (error := capsys.readouterr().err)
    assert "Unsupported gpu architecture 'sm_1'" in error
