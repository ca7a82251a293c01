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
