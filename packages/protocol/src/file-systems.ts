const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)

/** File systems with space of their own that the kernel alone answers for. Others may wait for a host or a program, or hang. */
export const calmSystems = words(`
  bcachefs btrfs erofs exfat ext2 ext3 ext4 f2fs hfsplus iso9660 jffs2 jfs nilfs2 ntfs ntfs3 overlay reiserfs simfs squashfs tmpfs
  ubifs udf vfat xfs
`)

/** File systems of the kernel that hold no files of anyone. */
export const pseudoSystems = words(`
  binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs hugetlbfs mqueue nsfs proc pstore ramfs rootfs securityfs
  sysfs tracefs
`)
