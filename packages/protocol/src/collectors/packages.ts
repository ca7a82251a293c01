/**
 * Prints the pending updates of a host as its package manager lists them, without refreshing its lists. Before them facts, one a line: `arch`, the
 * host’s own architecture; `lists`, when the lists were refreshed last, in epoch seconds; `reboot`, if the host needs one; `why`, a package that does.
 * apt takes a second of CPU or more where it keeps no cache, so its list comes with what it was made from: its lists, its configuration, and what is installed.
 */
export const packages = `
lists() {
  newest=0
  for file; do
    at=$(stat -c %Y "$file") && [ "$at" -gt "$newest" ] && newest=$at
  done
  [ "$newest" = 0 ] || echo "lists $newest"
}
why() {
  echo reboot
  [ -z "$1" ] || printf '%s\\n' "$1" | sort -u | head -n 50 | sed 's/^/why /'
}
# Managers that replace the kernel’s modules in place leave the running kernel without them.
kernel() {
  set -- /lib/modules/*/
  [ ! -d "$1" ] || [ -d "/lib/modules/$(uname -r)" ] || why linux
}
# Prints a list, or what the manager said instead.
list() {
  good=$1
  shift
  said=$("$@" 2>&1)
  code=$?
  case " 0 $good " in
  *" $code "*) printf '%s\\n' "$said" ;;
  *) printf '#@ error\\n%s\\n' "$said" | head -n 20 ;;
  esac
}

echo '#@ facts'
for file in /run/reboot-required /run/reboot-needed; do
  [ ! -e "$file" ] || { why "$(cat "$file.pkgs")"; break; }
done
if command -v apt >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1; then
  echo "arch $(dpkg --print-architecture)"
  eval "$(apt-config shell state Dir::State/d status Dir::State::status/f known Dir::State::lists/d etc Dir::Etc/d)"
  lists "\${known}partial" "\${state}periodic/update-success-stamp"
  from=
  # Without one of these names the rest would be files of the agent's folder.
  [ -z "$status" ] || [ -z "$known" ] || [ -z "$etc" ] ||
    from=$(stat -L -c '%n %s %z' "$status" "$known" "$known"* "$etc" "$etc"* "$etc"*.d/*)
  if [ -n "$from" ] && from=$(printf %s "$from" | cksum | tr ' ' _) && [ -n "$from" ]; then
    echo "#@ from $from"
    [ "$from" != "$kept" ] || exit 0
  fi
  echo '#@ apt'
  list 0 apt list --upgradable -qq
elif command -v dnf >/dev/null 2>&1; then
  if command -v needs-restarting >/dev/null 2>&1; then
    said=$(needs-restarting -r)
    [ $? != 1 ] || why "$(printf '%s\\n' "$said" | sed -n 's/^ *\\* //p')"
  fi
  lists /var/cache/dnf/*.solv /var/cache/libdnf5/*/repodata/repomd.xml
  echo '#@ dnf'
  list 100 dnf -q -C check-update
  echo '#@ installed'
  rpm -qa --qf '%{NAME}.%{ARCH} %{VERSION}-%{RELEASE}\\n'
  echo '#@ security'
  dnf -q -C updateinfo list --security
  # Without any advisory, for whatever package, the repositories don't say which updates are for security.
  echo '#@ advisories'
  dnf -q -C updateinfo list --all | head -n 1
elif command -v zypper >/dev/null 2>&1; then
  lists /var/cache/zypp/solv/*/solv
  echo '#@ zypper'
  list 0 zypper --non-interactive --no-refresh --quiet list-updates
elif command -v pacman >/dev/null 2>&1; then
  kernel
  lists /var/lib/pacman/sync
  echo '#@ pacman'
  list 1 pacman -Qu
elif command -v apk >/dev/null 2>&1; then
  kernel
  lists /var/cache/apk/APKINDEX.* /etc/apk/cache/APKINDEX.*
  echo '#@ apk'
  list 0 apk --no-network version -l '<'
else
  echo '#@ unsupported'
fi
`
