import { calmSystems, pseudoSystems } from './file-systems.ts'

/**
 * Prints what runs on a host as units: of systemd the properties of each loaded unit in blocks, else the services of OpenRC. Each part begins with a line `#@ NAME`. Times are in UTC.
 */
export const units = `
if command -v systemctl >/dev/null 2>&1 && why=$(systemctl show --property=Version 2>&1); then
  echo '#@ systemctl'
  systemctl show --all --no-pager --property=Id,Description,LoadState,ActiveState,SubState,UnitFileState,StateChangeTimestamp,ActiveEnterTimestamp,MemoryCurrent,NRestarts '*.service' '*.socket' '*.timer'
elif command -v rc-status >/dev/null 2>&1; then
  echo '#@ openrc'
  rc-status --all --format ini
elif [ -d /run/systemd/system ]; then
  echo '#@ error'
  printf '%s\\n' "$why" | head -n 5
else
  echo '#@ unsupported'
fi
`

/** What is told of a container of docker: one line of JSON, without the logs of its health checks and its environment. */
const inspected = [
  '{"id":{{json .Id}},"name":{{json .Name}},"image":{{json .Config.Image}},"status":{{json .State.Status}}',
  '"health":{{if .State.Health}}{{json .State.Health.Status}}{{else}}""{{end}},"exit":{{json .State.ExitCode}}',
  '"created":{{json .Created}},"started":{{json .State.StartedAt}},"finished":{{json .State.FinishedAt}}',
  '"restarts":{{json .RestartCount}},"ports":{{json .NetworkSettings.Ports}}',
  '"project":{{json (index .Config.Labels "com.docker.compose.project")}}',
  '"service":{{json (index .Config.Labels "com.docker.compose.service")}}}',
].join(',')

/**
 * Prints the containers of docker and podman: for each program that is there a section with its list, `NAME-error` instead if it fails, and
 * `NAME-stats`. Both are asked side by side, each with its stats beside its list: a daemon that hangs, and stats, which take two seconds,
 * leave the rest within the limit of a reading. A `docker` that is podman in disguise is asked once.
 */
export const containers = `
limit() {
  seconds=$1
  shift
  if command -v timeout >/dev/null 2>&1; then timeout -s KILL "$seconds" "$@"; else "$@"; fi
}
failed() {
  echo "#@ $1-error"
  case $2 in 124 | 137) echo 'timed out' ;; *) printf '%s\\n' "$3" | head -n 5 ;; esac
}
list_docker() {
  found=$(limit 4 docker ps --all --quiet --no-trunc 2>&1) || { failed docker $? "$found"; return; }
  found=$(printf '%s\\n' "$found" | grep -E '^[0-9a-f]{64}$' | limit 4 xargs docker inspect --format '${inspected}')
  printf '#@ docker\\n%s\\n' "$found"
}
list_podman() {
  found=$(limit 8 podman ps --all --format json 2>/dev/null) || { failed podman $? "$(limit 1 podman ps 2>&1)"; return; }
  printf '#@ podman\\n%s\\n' "$found"
}
stats() {
  found=$(limit 6 "$1" stats --no-stream --no-trunc --format "$2")
  printf '#@ %s-stats\\n%s\\n' "$1" "$found"
}
docker=$(command -v docker)
podman=$(command -v podman)
[ -n "$docker" ] && head -c 512 "$docker" | grep -q podman && docker=
[ -n "$docker$podman" ] || echo '#@ unsupported'
{ [ -z "$docker" ] || { stats docker '{{json .}}' | { list_docker; cat; }; }; } | {
  [ -z "$podman" ] || { stats podman json | { list_podman; cat; }; }
  cat
}
`

/**
 * Prints the processes of a host. Linux: `/proc` twice, one second apart, so that the use of CPU is that of this second; `ps` adds users and command
 * lines. Elsewhere: `ps`. Command lines may hold secrets, so a locked host prints none. The collector’s own processes are left out.
 */
export const processes = `
columns() {
  if [ -n "$locked" ]; then ps "$@"
  else ps "$@" -o args=
  fi
}
if [ -r /proc/self/stat ]; then
  echo '#@ linux'
  getconf CLK_TCK || echo 100
  getconf PAGESIZE || awk '/^KernelPageSize:/ { print $2 * 1024; exit }' /proc/self/smaps
  awk '$1 == "btime" { print $2 }' /proc/stat
  awk -v own="$$" '
    # grep begins each line with the name of its file, so a name with a line break is no other process.
    function sample(text, command, line, from, pid) {
      getline line < "/proc/uptime"
      close("/proc/uptime")
      command = "grep -as . /proc/[0-9]*/stat"
      while ((command | getline from) > 0) {
        pid = substr(from, 7, index(from, "/stat:") - 7)
        text[pid] = text[pid] substr(from, index(from, "/stat:") + 6)
      }
      close(command)
      split(line, now, " ")
      return now[1]
    }
    function fields(stat) {
      sub(/^.*[)] /, "", stat)
      return split(stat, part, " ")
    }
    BEGIN {
      began = sample(before)
      system("sleep 1")
      print began, sample(after)
      fields(after[own])
      group = part[3]
      start = part[20]
      for (pid in after) {
        if (fields(after[pid]) < 22 || (part[3] == group && part[20] >= start)) continue
        state = part[1]
        parent = part[2]
        kernel = int(part[7] / 2097152) % 2
        ticks = part[12] + part[13]
        threads = part[18]
        since = part[20]
        resident = part[22]
        earlier = "-"
        if (fields(before[pid]) >= 22 && part[20] == since) earlier = part[12] + part[13]
        name = substr(after[pid], index(after[pid], "(") + 1)
        sub(/[)] [^)]*$/, "", name)
        printf "%s %s %s %s %s %s %s %s %.0f %s\\n", pid, parent, state, kernel, since, resident, threads, earlier, ticks, name
      }
    }'
  echo '#@ ps'
  export LC_ALL=C.UTF-8
  { columns -eww -o pid= -o user:32= || columns -o pid= -o user=; } | cut -c 1-400 | head -c 600000
elif ps -axo pid= >/dev/null; then
  echo '#@ bsd'
  ps -axww -o pid= -o ppid= -o user= -o state= -o %cpu= -o rss= -o lstart= -o ucomm=
  echo '#@ ps'
  columns -axww -o pid= -o user= | cut -c 1-400 | head -c 500000
else
  echo '#@ unsupported'
fi
`

/**
 * Prints the sockets that listen on a host: `ss` with the processes that the agent may see, else the tables of `/proc/net` without them.
 */
export const ports = `
if command -v ss >/dev/null; then
  echo '#@ ss'
  ss -lntup | tr -s ' ' | cut -c 1-2000 | head -c 900000
elif [ -r /proc/net/tcp ]; then
  echo '#@ proc'
  for table in tcp tcp6 udp udp6; do
    awk -v table="$table" 'FNR > 1 && ($4 == "0A" || $4 == "07") { print table, $2, $4 }' "/proc/net/$table"
  done
else
  echo '#@ unsupported'
fi
`

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

/** Without files of anyone (more than `pseudoSystems`), or full by nature, such as images. */
const unlisted = [
  ...pseudoSystems,
  'autofs erofs fuse.gvfsd-fuse fuse.lxcfs fuse.portal fuse.snapfuse fusectl iso9660 nfsd rpc_pipefs selinuxfs squashfs',
].join(' ')

/**
 * Prints the mounts of a host, one a line: number, device number, root, path, `ro` or `rw` of the mount and of the file system, type, and source. Then
 * block size, blocks, free, available, inodes, and free inodes of each: of local ones with the path, of others with the number. Those may hang, some
 * even when killed: nothing waits for them longer than three seconds, and none is asked again while an earlier question hangs. Then the drives and,
 * if `smartctl` is there, what it says of them.
 */
export const filesystems = `
command -v stat >/dev/null 2>&1 && mounts=$(cat /proc/self/mountinfo) && [ "$mounts" ] || { echo '#@ unsupported'; exit 0; }
set -f
nl='
'
limit='timeout -s KILL 3'
command -v timeout >/dev/null 2>&1 || limit=
numbers='%S %b %f %a %c %d'

each() {
  work=$1 number=0 IFS=$nl
  for line in $mounts; do
    IFS=' '
    set -- $line
    device=$3 root=$4 at=$5 access=\${6%%,*}
    system=\${line#* - }
    type=\${system%% *}
    case ' ${unlisted} ' in *" $type "*) continue ;; esac
    [ "$type" != overlay ] || [ "$at" = / ] || continue
    number=$((number + 1))
    "$work"
  done
}
list() {
  source=\${system#* }
  super=\${source#* }
  printf '%s\\n' "$number $device $root $at $access \${super%%,*} $type \${source%% *}"
}
name() {
  path=$at
  case $path in *\\\\*)
    path=$(printf "$(printf '%s' "$path" | sed 's/%/%%/g').")
    path=\${path%.}
  esac
}
is_calm() {
  case ' ${calmSystems.join(' ')} ' in *" $type "*) return 0 ;; esac
  return 1
}
calm() {
  is_calm && name && printf '%s\\0' "$path"
}
hangs() {
  if [ -z "$asked" ]; then
    set +f
    for process in /proc/[0-9]*; do
      read -r program <"$process/comm" || continue
      case $program in stat | smartctl) asked="$asked$nl$(tr '\\0' '\\n' <"$process/cmdline")$nl" ;; esac
    done
    set -f
    asked="$asked$nl"
  fi
  case $asked in *"$nl$1$nl"*) return 0 ;; esac
  return 1
}
slow() {
  is_calm && return
  name
  hangs "$path" && return
  started=$((started + 1))
  { $limit stat -f -c "$number $numbers" -- "$path" || case $? in 1) echo "$number failed" ;; *) echo "$number silent" ;; esac; } &
}
health() {
  command -v smartctl >/dev/null 2>&1 || return
  set +f
  for drive in /sys/block/sd* /sys/block/nvme*; do
    drive=\${drive##*/}
    [ -e "/sys/block/$drive" ] || continue
    hangs "/dev/$drive" && continue
    started=$((started + 1))
    echo "drive $drive $($limit smartctl -n standby -H "/dev/$drive" | grep -m 1 -i -e 'result: ' -e 'health status: ' -e denied)" &
  done
}

echo '#@ mounts'
each list
echo '#@ calm'
each calm | xargs -0 stat -f -c "$numbers %n" --
echo '#@ answers'
{
  started=0 asked=
  each slow
  health
  [ "$started" = 0 ] || { sleep 3; echo end; } &
  echo "of $started"
} | {
  seen=0 all=-1
  while [ "$seen" != "$all" ] && read -r line; do
    case $line in
    end) break ;;
    'of '*) all=\${line#of } ;;
    *) seen=$((seen + 1)); printf '%s\\n' "$line" ;;
    esac
  done
}
if command -v lsblk >/dev/null 2>&1; then
  echo '#@ drives'
  $limit lsblk -b -P -o NAME,KNAME,PKNAME,MAJ:MIN,TYPE,SIZE,ROTA,MODEL
fi
`
