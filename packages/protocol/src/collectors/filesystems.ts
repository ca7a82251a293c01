import { calmSystems, pseudoSystems } from '../file-systems.ts'

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
