"""The directory of compiled code: where it is, that it is bounded, and that several processes can share it."""

import errno
import os
import random
import stat
import tempfile
from pathlib import Path

import numpy as np
import platformdirs
import pytest

import ludus
from ludus import LudusError
from ludus.common.errors import UncachedWarning
from ludus.compile import cache, specialise
from ludus.compile.sealed import SealedFile, is_sound
from ludus.library.games.nim import Nim
from tests.compile import processes

SOMEBODY_ELSE = os.getuid() + 1


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A directory for temporary files of this test's own."""
    path = tmp_path / "temporary"
    path.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    return path


def entry(path, name, size, used):
    """A file of the cache that was last used `used` seconds after the epoch."""
    file = path / name
    file.write_bytes(bytes(size))
    os.utime(file, (used, used))
    return file


def names(path):
    return sorted(file.name for file in path.iterdir())


# Where it is.


def test_the_directory_is_the_users_own(monkeypatch):
    monkeypatch.delenv("LUDUS_CACHE", raising=False)
    assert cache.directory() == Path(platformdirs.user_cache_dir("ludus", appauthor=False))


def test_the_directory_can_be_set(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "a" / "b"))
    assert cache.usable_directory() == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").is_dir()
    monkeypatch.setenv("LUDUS_CACHE", "~/ludus")
    assert cache.directory() == Path.home() / "ludus"


def test_where_it_cannot_be_written_a_temporary_directory_serves(monkeypatch, tmp_path, temporary):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "file" / "cache"))
    first = cache.usable_directory()
    assert first.parent == temporary
    assert stat.S_IMODE(first.stat().st_mode) == 0o700
    assert cache.usable_directory() == first, "the next process finds it again"


def test_a_temporary_directory_of_somebody_else_is_not_trusted(monkeypatch, tmp_path, temporary):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "file"))
    usual = cache.usable_directory()
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY_ELSE)
    monkeypatch.setattr(os, "chmod", lambda *_, **__: None)  # not ours, so it fails or does nothing
    usual.rename(usual.with_name(f"ludus-cache-{os.getuid()}"))
    assert cache.usable_directory() not in (usual, usual.with_name(f"ludus-cache-{os.getuid()}"))
    assert cache.usable_directory().parent == temporary


def test_a_file_in_the_place_of_the_temporary_directory_does_no_harm(monkeypatch, tmp_path, temporary):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "file"))
    usual = cache.usable_directory()
    usual.rmdir()
    usual.touch()
    assert cache.usable_directory() != usual
    assert cache.usable_directory().is_dir()


@pytest.mark.slow
def test_a_search_compiles_where_the_directory_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    options = {"cache": tmp_path / "file" / "cache", "cwd": tmp_path, "TMPDIR": str(tmp_path)}
    [cold] = processes.run(["random", "nim"], **options)
    [warm] = processes.run(["random", "nim"], **options)
    assert cold.result == warm.result == cold.interpreted
    assert (cold.hits, cold.misses) == (0, 1)
    assert (warm.hits, warm.misses) == (1, 0)


def test_a_directory_that_others_can_write_is_closed_to_them(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    assert cache.usable_directory() == tmp_path / "cache"
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o755


def test_a_directory_of_somebody_else_is_not_used(monkeypatch, tmp_path, temporary):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    assert cache.usable_directory() == tmp_path / "cache"
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY_ELSE)
    found = cache.usable_directory()
    assert found.parent == temporary


def test_where_nothing_can_be_written_there_is_no_directory(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    assert cache.usable_directory() is None


# What is in it.


@pytest.fixture
def sealed(tmp_path):
    return SealedFile(str(tmp_path), "step", "stamp")


def test_what_is_kept_is_found_again(sealed, tmp_path):
    for key in ("one", "two", "one"):
        sealed.save(key, [key, 3.5])
    assert sealed.load("one") == ["one", 3.5]
    assert sealed.load("two") == ["two", 3.5]
    assert sealed.load("three") is None
    assert names(tmp_path) == ["step.1.nbc", "step.2.nbc", "step.nbi"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
    assert SealedFile(str(tmp_path), "step", "other").load("one") is None


@pytest.mark.parametrize("name", ["step.nbi", "step.1.nbc"])
def test_a_damaged_file_is_not_there(sealed, tmp_path, name):
    """Each bit flipped, each length cut, random bytes, nothing at all: none of it is unpickled."""
    chance, file = random.Random(1), tmp_path / name
    sealed.save("one", {"some": "code"})
    sound = file.read_bytes()
    damaged = [sound[:i] + bytes([sound[i] ^ (1 << chance.randrange(8))]) + sound[i + 1 :] for i in range(len(sound))]
    damaged += [sound[:i] for i in range(len(sound))] + [chance.randbytes(n) for n in range(100)] + [sound + b"x"]
    for content in damaged:
        file.write_bytes(content)
        assert not is_sound(file)
        assert sealed.load("one") is None
    sealed.save("one", {"other": "code"})
    assert sealed.load("one") == {"other": "code"}


def test_a_file_that_others_can_write_is_not_there(sealed, tmp_path):
    sealed.save("one", 1)
    (tmp_path / "step.1.nbc").chmod(0o620)
    assert sealed.load("one") is None


def test_a_damaged_entry_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    monkeypatch.setattr(specialise, "_kernels", {})
    game, told = Nim(stones=np.int8(5)), []

    def search() -> int:
        specialise._kernels.clear()
        return ludus.player("random", announce=told.append).choose(game).move

    move = search()
    assert search() == move
    assert len(told) == 1  # the second came from the cache
    for file in tmp_path.glob("*.nb?"):
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert search() == move
    assert len(told) == 2
    assert search() == move
    assert len(told) == 2


def test_a_full_disk_is_told_and_does_no_harm(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(SealedFile, "_open_for_write", full)
    with pytest.warns(UncachedWarning, match=r"cannot be kept in .* \(No space left on device\): it is compiled"):
        assert ludus.player("random").choose(Nim(stones=np.uint8(5))).move in (1, 2, 3)


# How large it may be.


def test_entries_unused_for_longest_are_removed_first(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_MB", "0.025")
    for i in range(5):
        entry(tmp_path, f"step__{i}.nbc", 10_000, used=1_000 + i)
    cache.prune(tmp_path)
    assert names(tmp_path) == ["step__3.nbc", "step__4.nbc"]


def test_nothing_is_removed_within_the_bound(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_MB", "0.05")
    for i in range(5):
        entry(tmp_path, f"step__{i}.nbc", 10_000, used=1_000 + i)
    cache.prune(tmp_path)
    assert len(names(tmp_path)) == 5


def test_the_bound_has_a_default(tmp_path, monkeypatch):
    monkeypatch.delenv("LUDUS_CACHE_MB", raising=False)
    entry(tmp_path, "step__0.nbc", 10_000, used=1_000)
    cache.prune(tmp_path)
    assert names(tmp_path) == ["step__0.nbc"]
    monkeypatch.setattr(cache, "LIMIT_MB", 0.001)
    cache.prune(tmp_path)
    assert names(tmp_path) == []


def test_the_entry_in_use_is_kept_however_old_and_large(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_MB", "0")
    for name in ("step__aa.1.nbc", "step__aa.nbi", "step__bb.1.nbc", "step__bb.nbi", "cc.note"):
        entry(tmp_path, name, 10_000, used=1_000)
    cache.prune(tmp_path, keep="aa")
    assert names(tmp_path) == ["step__aa.1.nbc", "step__aa.nbi"]


def test_using_an_entry_makes_it_young(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_MB", "0.015")
    for i, name in enumerate(("aa", "bb", "cc")):
        entry(tmp_path, f"step__{name}.nbc", 10_000, used=1_000 + i)
    cache.touch(tmp_path, "aa")
    cache.prune(tmp_path)
    assert names(tmp_path) == ["step__aa.nbc"]


def test_locks_are_removed_only_when_they_are_stale(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_MB", "0")
    entry(tmp_path, "old.lock", 10, used=1_000)
    (tmp_path / "new.lock").touch()
    cache.prune(tmp_path)
    assert names(tmp_path) == ["new.lock"]


def test_a_bound_that_is_no_number_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_MB", "much")
    with pytest.raises(LudusError, match="LUDUS_CACHE_MB must be a number of megabytes, not 'much'"):
        cache.prune(tmp_path)


@pytest.mark.slow
def test_compiling_keeps_the_directory_within_its_bound(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    kernels = []
    for limit, dtype in (("100", np.int16), ("0.000001", np.int32)):
        monkeypatch.setenv("LUDUS_CACHE_MB", limit)
        game = Nim(stones=dtype(5))  # a kernel that no other test compiles
        player = ludus.player("random")
        player.choose(game)
        kernels.append(player.session(game).kernel.fingerprint)
    kept = {name for name in names(tmp_path) if not name.endswith(".lock")}
    assert kept
    assert all(kernels[1] in name for name in kept), "the first is gone, the one in use is there"


# What is noted in it.


def test_notes_are_read_back(tmp_path):
    assert cache.read_note(tmp_path, "aa") == ""
    cache.write_note(tmp_path, "aa", "rule play does not compile")
    assert cache.read_note(tmp_path, "aa") == "rule play does not compile"
    cache.write_note(tmp_path / "nowhere", "aa", "this is lost, and nothing happens")


# Several processes at once.


@pytest.mark.slow
def test_two_processes_with_a_cold_cache_at_once_are_both_right(tmp_path):
    job, options = ["greedy", "nim"], {"cache": tmp_path / "cache", "cwd": tmp_path}
    both = [processes.start(job, **options) for _ in range(2)]
    for process in both:
        [found] = processes.finish(process)
        assert found.result == found.interpreted
        assert found.hits + found.misses == 1
    [later] = processes.run(job, **options)
    assert later.result == later.interpreted
    assert (later.hits, later.misses, later.compilations) == (1, 0, 0)
