/** Programs of a host whose /var is nearly full, by path: they answer the collector of file systems, and are the real ones for all else. */
export const fakeMounts: Readonly<Record<string, string>> = {
  'bin/cat': `#!/bin/sh
[ "$*" = /proc/self/mountinfo ] || exec /bin/cat "$@"
echo '1 0 8:1 / / rw - ext4 /dev/sda1 rw'
echo '2 0 8:2 / /var rw - xfs /dev/sda2 rw'
echo '3 0 8:3 / /srv ro - ext4 /dev/sda3 rw'
`,
  'bin/stat': `#!/bin/sh
case "$3" in
*%a*) ;;
*) exec /usr/bin/stat "$@" ;;
esac
echo '4096 1000 700 600 500 400 /'
echo '4096 1000 40 40 500 490 /var'
echo '4096 1000 120 120 500 200 /srv'
`,
  'bin/lsblk': '#!/bin/sh\n',
}
