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
