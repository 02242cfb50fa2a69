"""Builds the guest: Debian's own kernel and packages, on a disk that QEMU boots.

Everything comes from Debian's archive; nothing is compiled. The disk holds only the kernel modules that the lab
needs, and no documentation. What it is made from decides its name, so a changed recipe is built anew and an
unchanged one is found: under build/, or where FELTD_LAB points when several checkouts share one.
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

_XZ_MAGIC: Final = b"\xfd7zXZ\x00"


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
    suite, kernel = _suite(), _kernel_package()
    where = cache() / f"guest-{_recipe(suite, kernel)}"
    if not where.exists():
        sys.stderr.write(f"building the lab's guest, Debian {suite} with {kernel}: a minute or two, once\n")
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache(), prefix="building-") as directory:
            _build(Path(directory), suite, kernel)
            (Path(directory) / "guest").rename(where)
        _forget_others(where)
    return Guest(where / "vmlinux", where / "initrd.gz", where / "root.qcow2")


def _recipe(suite: str, kernel: str) -> str:
    digest = hashlib.sha256(f"{suite} {kernel}".encode())
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


def _kernel_package() -> str:
    """The full kernel: the one for clouds has no USB."""
    shown = _run("apt-cache", "depends", "linux-image-amd64")
    return next(line.split()[-1] for line in shown.splitlines() if "Depends: linux-image-" in line)


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=BUILD_S_MAX, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def _build(work: Path, suite: str, kernel_package: str) -> None:
    done, root, kernel = work / "guest", work / "root", work / "kernel"
    done.mkdir()
    _run("apt-get", "download", "-q", kernel_package, cwd=work)
    _run("dpkg-deb", "-x", *work.glob("*.deb"), kernel)
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
        '--aptopt=Acquire::Languages "none"', suite, root,
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
    build()
