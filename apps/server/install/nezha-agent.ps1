# Installs the Nezha agent as a service. The server writes the version, the address, and the checksums above this line.
#
# Environment: NZ_SERVER (HOST:PORT) and NZ_CLIENT_SECRET are needed; NZ_TLS (true or false), NZ_UUID (to be an existing server
# again), and QD_AGENT_DIR (where to install) are not.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

if (-not $env:NZ_SERVER -or -not $env:NZ_CLIENT_SECRET) { throw 'nezha-agent: NZ_SERVER or NZ_CLIENT_SECRET is missing; nothing was changed' }
$dir = $env:QD_AGENT_DIR
if (-not $dir) { $dir = 'C:\nezha' }
$machine = $env:PROCESSOR_ARCHITEW6432
if (-not $machine) { $machine = $env:PROCESSOR_ARCHITECTURE }
$arch = @{ AMD64 = 'amd64'; ARM64 = 'arm64'; x86 = '386' }[$machine]
$name = "nezha-agent_windows_$arch.zip"
$sum = $sums -split "`n" | ForEach-Object { $file, $known = $_ -split ' '; if ($file -eq $name) { $known } }
if (-not $sum) { throw "nezha-agent: version $version has no $name on this server; add it to the manifest. Nothing was changed" }
if ($url -eq '') {
  $scheme = 'http'
  if ($env:NZ_TLS -eq 'true') { $scheme = 'https' }
  $url = "${scheme}://$env:NZ_SERVER/agent/nezha"
}

$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory $work | Out-Null
try {
  Invoke-WebRequest -UseBasicParsing "$url/$name" -OutFile "$work\agent.zip"
  if ((Get-FileHash -Algorithm SHA256 "$work\agent.zip").Hash -ne $sum) { throw "nezha-agent: $url/$name has the wrong checksum; nothing was changed" }
  Expand-Archive -Path "$work\agent.zip" -DestinationPath "$work\agent"
  New-Item -ItemType Directory -Force $dir | Out-Null
  # One program can report to several servers, with a file each. Windows renames a program that runs, but doesn't overwrite it.
  $program = Join-Path $dir 'nezha-agent.exe'
  if (Test-Path $program) { Move-Item -Force $program "$program.$([DateTime]::Now.Ticks).old" }
  Move-Item "$work\agent\nezha-agent.exe" $program
  $config = Join-Path $dir 'config.yml'
  if (Test-Path $config) { $config = Join-Path $dir "config-$([DateTime]::Now.Ticks).yml" }
  & $program service -c $config install
  if ($LASTEXITCODE -ne 0) { throw 'nezha-agent: cannot install the service; run PowerShell as an administrator' }
  Write-Output "nezha-agent: version $version is running as a service, from $dir; settings: $config"
} finally {
  Remove-Item -Recurse -Force $work
  Remove-Item Env:NZ_CLIENT_SECRET, Env:NZ_SERVER, Env:NZ_TLS, Env:NZ_UUID -ErrorAction SilentlyContinue
}
