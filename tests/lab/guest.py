"""Builds the guest: Debian's own kernel and packages, on a disk that QEMU boots.

Everything comes from the Debian archive that this machine itself is installed from; nothing is compiled. The disk holds
only the kernel modules that the lab needs, and no documentation. The recipe decides its name, so a changed one is built
anew and an unchanged one is found, also without a network: under build/, or where FELTD_LAB points when several
checkouts share one.

As a program it ends with 69 where the machine has not got what a guest is made of, which is not a mistake of the lab's.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.errors import ExitStatus

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
INSIDE: Final = HERE / "inside"
BUILD_S_MAX: Final = 900

PACKAGES: Final = (
    "systemd", "systemd-sysv", "udev", "dbus", "kmod", "iproute2", "procps", "psmisc", "python3", "usbip", "usbutils",
    "mosquitto", "mosquitto-clients",
)  # fmt: skip
_NOT_WANTED: Final = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")
# What the initial RAM disk needs to find the root, and what the lab uses after that.
_BOOT_MODULES: Final = ("virtio_pci", "virtio_blk", "ext4")
_MODULES: Final = (
    *_BOOT_MODULES, "virtio_net", "virtio_console", "virtio_rng", "vhci_hcd", "usbmon", "cdc_acm", "ftdi_sio",
)  # fmt: skip
# The broker is started with the lab's own configuration; the others cost seconds and nobody looks at what they do.
_NOT_STARTED: Final = ("mosquitto.service", "e2scrub_reap.service", "apt-daily.timer", "apt-daily-upgrade.timer")
_DISK_BYTES: Final = 1_200 << 20

ROOM_BYTES: Final = 4 << 30  # the root, the kernel with all its modules, the disk raw and packed, and the download

_XZ_MAGIC: Final = b"\xfd7zXZ\x00"


class CommandError(Exception):
    """A command failed; says which, how, and what it complained of."""


class UnavailableError(Exception):
    """This machine has not got what a guest is made of."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A built guest."""

    kernel: Path
    initrd: Path
    disk: Path


def cache() -> Path:
    """Where guests are kept."""
    return Path(os.environ.get("FELTD_LAB") or ROOT / "build" / "lab")


def build() -> Guest:
    """The guest, from the cache when there is one of this recipe."""
    suite = _suite()
    where = cache() / f"guest-{_recipe(suite)}"
    if not where.exists():
        sys.stderr.write(f"building the lab's guest, Debian {suite}: a minute or two, once\n")
        cache().mkdir(parents=True, exist_ok=True)
        _expect_room()
        with tempfile.TemporaryDirectory(dir=cache(), prefix="building-") as directory:
            _build(Path(directory), suite)
            (Path(directory) / "guest").rename(where)
        _forget_others(where)
    return Guest(where / "vmlinux", where / "initrd.gz", where / "root.qcow2")


def _recipe(suite: str) -> str:
    digest = hashlib.sha256(suite.encode())
    for file in (Path(__file__), *sorted(INSIDE.iterdir())):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _forget_others(kept: Path) -> None:
    for other in cache().glob("guest-*"):
        if other != kept:
            shutil.rmtree(other)


def _suite() -> str:
    """The same Debian as outside, because the daemon is installed outside and its interpreter must be there inside."""
    lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"].strip('"')


def _expect_room() -> None:
    free = shutil.disk_usage(cache()).free
    if free < ROOM_BYTES:
        raise UnavailableError(f"{cache()} has {free >> 20} MB of room, and building a guest takes {ROOM_BYTES >> 20}")


def _kernel_package(work: Path) -> Path:
    """The full kernel: the one for clouds has no USB. The archive's list may be empty, or old and name a file that is
    no longer there."""
    try:
        _run("apt-get", "update", "-q")
        shown = _run("apt-cache", "depends", "linux-image-amd64")
        name = next((line.split()[-1] for line in shown.splitlines() if "Depends: linux-image-" in line), None)
        if name is None:
            raise UnavailableError("no linux-image-amd64 in the archives of this machine's apt")
        _run("apt-get", "download", "-q", name, cwd=work)
    except CommandError as error:
        raise UnavailableError(f"Debian's archive gives no kernel: {error}") from error
    return next(work.glob("*.deb"))


def _archives() -> list[str]:
    """Debian's own among the archives of this machine, as lines of a sources.list."""
    shown = _run(
        "apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
        "Created-By: Packages", "Origin: Debian",
    )  # fmt: skip
    if not shown:
        raise UnavailableError("this machine's apt has no archive of Debian")
    return sorted(set(shown.splitlines()))


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=BUILD_S_MAX, check=False
    )
    if done.returncode:
        raise CommandError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def _build(work: Path, suite: str) -> None:
    done, root, kernel = work / "guest", work / "root", work / "kernel"
    done.mkdir()
    _run("dpkg-deb", "-x", _kernel_package(work), kernel)
    version = next((kernel / "lib" / "modules").iterdir()).name
    _run("depmod", "-b", kernel, version)
    _unpack_debian(root, suite)
    _install_modules(kernel, root, version)
    _settle_in(root)
    _make_disk(root, done / "root.qcow2")
    _make_initrd(kernel, version, work / "initrd", done / "initrd.gz")
    (done / "vmlinux").write_bytes(unpacked_kernel((kernel / "boot" / f"vmlinuz-{version}").read_bytes()))


def _unpack_debian(root: Path, suite: str) -> None:
    excluded = [f"--dpkgopt=path-exclude={path}" for path in _NOT_WANTED]
    wanted = f"--include={','.join(PACKAGES)}"
    _run(
        "nice", "mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", wanted, *excluded,
        '--aptopt=Acquire::Languages "none"', suite, root, *_archives(),
    )  # fmt: skip


def _module_files(kernel: Path, version: str, modules: tuple[str, ...]) -> Iterator[Path]:
    """The files of these modules and of all that they need, in the order in which they can be loaded."""
    seen = set[Path]()
    for module in modules:
        shown = _run("modprobe", "--set-version", version, "--dirname", kernel, "--show-depends", module)
        for line in shown.splitlines():
            path = Path(line.split()[1])
            if line.startswith("insmod") and path not in seen:
                seen.add(path)
                yield path


def _install_modules(kernel: Path, root: Path, version: str) -> None:
    for file in _module_files(kernel, version, _MODULES):
        target = root / "lib" / "modules" / version / file.relative_to(kernel / "lib" / "modules" / version)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    for name in ("modules.builtin", "modules.order", "modules.builtin.modinfo"):
        shutil.copy(kernel / "lib" / "modules" / version / name, root / "lib" / "modules" / version)
    _run("depmod", "-b", root, version)


def _settle_in(root: Path) -> None:
    """The lab's own agent, a network, and nothing that would wait for somebody."""
    (root / "etc" / "hostname").write_text("table7\n")
    (root / "etc" / "machine-id").write_text("")
    (root / "etc" / "modules-load.d" / "lab.conf").write_text("vhci_hcd\nvirtio_console\n")
    (root / "etc" / "fstab").write_text("/dev/vdb /opt ext4 ro,nofail 0 0\n")
    places = {
        "agent.py": "usr/local/bin/lab-agent",
        "lab-agent.service": "etc/systemd/system/lab-agent.service",
        "10-lab.network": "etc/systemd/network/10-lab.network",
    }
    for name, place in places.items():
        shutil.copy(INSIDE / name, root / place)
    _run("systemctl", "--root", root, "enable", "systemd-networkd.service", "lab-agent.service")
    _run("systemctl", "--root", root, "set-default", "multi-user.target")
    _run("systemctl", "--root", root, "mask", *_NOT_STARTED)


def _make_disk(root: Path, disk: Path) -> None:
    """A file system straight from the directory, so that nothing has to be mounted."""
    raw = disk.with_suffix(".raw")
    make_filesystem(root, raw, _DISK_BYTES)
    _run("qemu-img", "convert", "-O", "qcow2", raw, disk)
    raw.unlink()


def make_filesystem(tree: Path, image: Path, size: int) -> None:
    """An ext4 image with a directory's contents."""
    with image.open("wb") as file:
        file.truncate(size)
    _run("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-E", "lazy_itable_init=1", "-d", tree, image)


def _make_initrd(kernel: Path, version: str, tree: Path, initrd: Path) -> None:
    """A static busybox that loads a few modules and hands over to systemd: Debian's own takes three times as long."""
    for name in ("bin", "modules", "proc", "sys", "dev", "new"):
        (tree / name).mkdir(parents=True)
    shutil.copy("/bin/busybox", tree / "bin")
    files = list(_module_files(kernel, version, _BOOT_MODULES))
    for file in files:
        shutil.copy(file, tree / "modules")
    (tree / "order").write_text("".join(f"{file.name}\n" for file in files))
    shutil.copy(INSIDE / "init", tree)
    names = "".join(f"{path.relative_to(tree)}\n" for path in sorted(tree.rglob("*")))
    packed = subprocess.run(
        ["cpio", "--create", "--format=newc", "--quiet"],
        cwd=tree,
        input=names.encode(),
        capture_output=True,
        check=True,
    )
    initrd.write_bytes(gzip.compress(packed.stdout, 1))


def unpacked_kernel(image: bytes) -> bytes:
    """The ELF kernel inside a bzImage, which QEMU starts directly: emulated, unpacking itself takes seconds.

    The kernel's Documentation/arch/x86/boot.rst tells where the payload lies and how long it is.
    """
    setup_sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    payload = image[start : start + length]
    if payload.startswith(_XZ_MAGIC):
        return lzma.LZMADecompressor().decompress(payload)
    return subprocess.run(["zstd", "-d", "-c"], input=payload, capture_output=True, check=True).stdout


if __name__ == "__main__":
    try:
        build()
    except UnavailableError as unavailable:
        sys.stderr.write(f"The lab's guest cannot be built: {unavailable}\n")
        sys.exit(ExitStatus.UNAVAILABLE)
