"""A sealed file is taken as it was written, or refused with one sentence."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import struct
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.errors import EngineError
from engine.rating.bundle.keys import fingerprint, made_key
from engine.rating.bundle.seal import MANIFEST, ROWS, Sealed, SealWriter

AUDIO = f"audio/{'0f' * 16}.flac"
KEY = made_key()


def sealed(path: Path, key=KEY, **told: object) -> Path:
    writer = SealWriter(path)
    writer.add(ROWS, b'{"rows": []}')
    writer.add(AUDIO, bytes(range(256)))
    writer.close("bundle", told, key)
    return path


def refusal(path: Path, kind="bundle") -> str:
    """The code with which a file is refused; '' where it is taken."""
    try:
        with closing(Sealed(path, kind)) as found:
            for _ in found.verify():
                pass
    except EngineError as error:
        return error.code if "\n" not in error.sentence("en") + error.sentence("zh") else "more than a sentence"
    return ""


def rewritten(path: Path, target: Path, change=lambda name, data: data, more=(), manifest=None) -> Path:
    """The same file made anew by somebody who has no key: the signature is the old one."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = change(info.filename, old.read(info))
            if info.filename == MANIFEST and manifest is not None:
                data = json.dumps(manifest(json.loads(data))).encode()
            if data is not None:
                new.writestr(info, data)
        for name, data in more:
            new.writestr(name, data)
        new.comment = old.comment
    return target


def test_what_was_sealed_is_read_again_and_names_its_signer(tmp_path):
    file = Sealed(sealed(tmp_path / "a.zip", study="s"), "bundle")
    for _ in file.verify():
        pass
    assert (file.manifest["study"], file.rows(), file.signer) == ("s", {"rows": []}, fingerprint(KEY.public))
    assert b"".join(file.pieces(AUDIO)) == bytes(range(256))
    file.close()


def test_anybody_can_check_the_signature_and_unpack_the_zip(tmp_path):
    """By the description alone: the last 209 bytes are a mark, the key and the signature of the hash of the rest."""
    whole = sealed(tmp_path / "a.zip").read_bytes()
    mark, public, signature = whole[-209:].decode("ascii").split(" ")
    message = b"auricle.rating.bundle\n" + hashlib.sha256(whole[:-209]).digest()
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    assert mark == "auricle-ed25519"
    with zipfile.ZipFile(tmp_path / "a.zip") as file:
        assert file.testzip() is None
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_equal_contents_and_one_key_make_equal_bytes(tmp_path):
    assert sealed(tmp_path / "a.zip").read_bytes() == sealed(tmp_path / "b.zip").read_bytes()


def test_any_one_byte_altered_is_refused(tmp_path):
    whole = sealed(tmp_path / "a.zip").read_bytes()
    other = tmp_path / "b.zip"
    taken = []
    for place in range(len(whole)):
        other.write_bytes(whole[:place] + bytes([whole[place] ^ 0x20]) + whole[place + 1 :])
        if not refusal(other):
            taken.append(place)
    assert taken == []


@pytest.mark.parametrize("more", [b"\0", b"PK", b"-" * 300])
def test_bytes_added_before_or_behind_are_refused(tmp_path, more):
    whole = sealed(tmp_path / "a.zip").read_bytes()
    for data in (whole + more, more + whole):
        (tmp_path / "b.zip").write_bytes(data)
        assert refusal(tmp_path / "b.zip")


def test_a_file_cut_short_anywhere_is_refused(tmp_path):
    whole = sealed(tmp_path / "a.zip").read_bytes()
    for length in range(0, len(whole), 13):
        (tmp_path / "b.zip").write_bytes(whole[:length])
        assert refusal(tmp_path / "b.zip")


def test_an_entry_that_differs_from_its_hash_is_named_altered(tmp_path):
    path = sealed(tmp_path / "a.zip")
    other = rewritten(path, tmp_path / "b.zip", lambda name, data: data[::-1] if name == AUDIO else data)
    assert refusal(other) == "bundle.altered"


def test_an_entry_added_or_missing_is_refused(tmp_path):
    path = sealed(tmp_path / "a.zip")
    more = rewritten(path, tmp_path / "more.zip", more=[(f"audio/{'aa' * 16}.flac", b"x")])
    less = rewritten(path, tmp_path / "less.zip", lambda name, data: None if name == AUDIO else data)
    assert (refusal(more), refusal(less)) == ("bundle.foreign_file", "bundle.missing_file")


def test_a_manifest_that_was_made_to_fit_lacks_the_signature(tmp_path):
    path = sealed(tmp_path / "a.zip")
    other = rewritten(path, tmp_path / "b.zip", manifest=lambda told: {**told, "title": "another"})
    assert refusal(other) == "bundle.wrong_signature"


def test_a_signature_of_another_key_or_kind_is_refused(tmp_path):
    path = sealed(tmp_path / "a.zip")
    other = sealed(tmp_path / "b.zip", made_key())
    whole, foreign = path.read_bytes(), other.read_bytes()
    (tmp_path / "c.zip").write_bytes(whole[:-128] + foreign[-128:])
    assert refusal(tmp_path / "c.zip") == "bundle.wrong_signature"
    assert refusal(path, "results") == "bundle.not_results"


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "audio/../../x", "C:\\x", "audio\\..\\..\\x", "..\\x"])
def test_a_name_that_leads_outside_is_refused(tmp_path, name):
    other = rewritten(sealed(tmp_path / "a.zip"), tmp_path / "b.zip", more=[(name, b"x")])
    assert refusal(other) == "bundle.unsafe_name"


def test_a_link_is_refused(tmp_path):
    info = zipfile.ZipInfo(f"audio/{'bb' * 16}.flac")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    other = rewritten(sealed(tmp_path / "a.zip"), tmp_path / "b.zip", more=[(info, b"/etc/passwd")])
    assert refusal(other) == "bundle.unsafe_name"


def test_ten_thousand_files_are_refused(tmp_path):
    more = [(f"audio/{number:032x}.flac", b"") for number in range(10_000)]
    other = rewritten(sealed(tmp_path / "a.zip"), tmp_path / "b.zip", more=more)
    assert refusal(other) == "bundle.too_many"


def test_a_claim_of_ten_gigabytes_is_refused_without_reading_them(tmp_path):
    other = rewritten(sealed(tmp_path / "a.zip"), tmp_path / "b.zip", manifest=lambda told: told)
    data = bytearray(other.read_bytes())
    central = data.find(b"PK\1\2")
    struct.pack_into("<I", data, central + 24, 0xFFFFFFF0)  # the size of an entry, unpacked
    (tmp_path / "c.zip").write_bytes(data)
    assert refusal(tmp_path / "c.zip") == "bundle.too_large"


def test_a_packed_entry_is_refused_for_it_may_unpack_to_anything(tmp_path):
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(MANIFEST, b"{}")
        file.writestr(ROWS, bytes(50 << 20))
    assert refusal(tmp_path / "b.zip") == "bundle.too_large"


@pytest.mark.parametrize("entries", [{}, {ROWS: 5}, [], {ROWS: {"bytes": "1", "sha256": ""}}, None])
def test_a_manifest_that_is_none_is_no_bundle(tmp_path, entries):
    told = {"format": "auricle.rating.bundle", "version": 1, "entries": entries}
    other = rewritten(sealed(tmp_path / "a.zip"), tmp_path / "b.zip", manifest=lambda _: told)
    assert refusal(other) in ("bundle.not_a_bundle", "bundle.foreign_file")


def test_what_is_no_bundle_or_newer_says_so(tmp_path):
    (tmp_path / "text.zip").write_text("not a zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("notes.txt", "x")
    newer = rewritten(sealed(tmp_path / "a.zip"), tmp_path / "n.zip", manifest=lambda told: {**told, "version": 2})
    assert refusal(tmp_path / "text.zip") == refusal(tmp_path / "other.zip") == "bundle.not_a_bundle"
    assert refusal(newer) == "bundle.newer"
    assert refusal(tmp_path / "none.zip") == refusal(tmp_path) == "bundle.not_there"


def test_a_writer_that_is_abandoned_leaves_nothing(tmp_path):
    writer = SealWriter(tmp_path / "a.zip")
    writer.add(ROWS, b"{}")
    writer.abandon()
    assert list(tmp_path.iterdir()) == []


def test_a_copy_is_as_good_as_the_file(tmp_path):
    shutil.copyfile(sealed(tmp_path / "a.zip"), tmp_path / "b.zip")
    assert refusal(tmp_path / "b.zip") == ""
