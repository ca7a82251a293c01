# Installs the Quarterdeck agent on Windows, brings an installed one up to date, or removes it ($env:QD_ACTION = "uninstall").
#
# Environment: NZ_SERVER (HOST:PORT) and QD_CODE (of an install command) or NZ_CLIENT_SECRET are needed; NZ_TLS, QD_WATCH_ONLY (true or false), NZ_UUID (to be an existing
# server again) and QD_AGENT_DIR (where to install) are not. The secret is written to a file that only its owner, the
# administrators and the system read; it is in no command line.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Install-QuarterdeckAgent {
  $task = 'Quarterdeck agent'
  $identity = [Security.Principal.WindowsIdentity]::GetCurrent()
  $isAdmin = ([Security.Principal.WindowsPrincipal]$identity).IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)
  $dir = $env:QD_AGENT_DIR
  if (-not $dir) {
    if ($isAdmin) { $dir = Join-Path $env:ProgramData 'quarterdeck-agent' } else { $dir = Join-Path $env:LOCALAPPDATA 'quarterdeck-agent' }
  }
  $bundle = Join-Path $dir 'quarterdeck-agent.mjs'
  $config = Join-Path $dir 'agent.json'

  function Stop-Agent {
    Stop-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue
    Get-CimInstance Win32_Process -Filter "Name = 'node.exe'" |
      Where-Object { $_.CommandLine -and $_.CommandLine.Contains($bundle) } |
      ForEach-Object { Stop-Process -Id $_.ProcessId -Force -ErrorAction SilentlyContinue }
  }

  if ($env:QD_ACTION -eq 'uninstall') {
    if (-not (Test-Path $bundle)) { throw "quarterdeck-agent: no agent is installed in $dir" }
    Stop-Agent
    Unregister-ScheduledTask -TaskName $task -Confirm:$false -ErrorAction SilentlyContinue
    Remove-Item -Recurse -Force $dir
    Write-Output "quarterdeck-agent: removed from $dir"
    return
  }

  if (-not $env:NZ_SERVER) { throw 'quarterdeck-agent: NZ_SERVER=HOST:PORT is missing; nothing was changed' }
  $node = (Get-Command node.exe -ErrorAction SilentlyContinue).Source
  $needed = 'const [a, b] = process.versions.node.split(String.fromCharCode(46)); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
  if ($node) { & $node -e $needed; if ($LASTEXITCODE -ne 0) { $node = $null } }
  if (-not $node) { throw 'quarterdeck-agent: Node 20.19 or later not found; install it (https://nodejs.org) and run this again. Nothing was changed' }

  $isTls = $env:NZ_TLS -match '^(1|t|true)$'
  if ($isTls) { $scheme = 'https' } else { $scheme = 'http' }
  $origin = "${scheme}://$env:NZ_SERVER"
  $known = $null
  if (Test-Path $config) { $known = Get-Content -Raw $config | ConvertFrom-Json }
  $secret = $env:NZ_CLIENT_SECRET
  if (-not $secret -and $known) { $secret = $known.client_secret }
  if (-not $env:QD_CODE -and -not $secret) { throw 'quarterdeck-agent: QD_CODE (or NZ_CLIENT_SECRET) is missing; nothing was changed' }

  $manifest = Invoke-RestMethod -UseBasicParsing "$origin/agent/manifest.json"
  $fetched = New-TemporaryFile
  try {
    Invoke-WebRequest -UseBasicParsing "$origin/agent/quarterdeck-agent.mjs" -OutFile $fetched
    if ((Get-FileHash -Algorithm SHA256 $fetched).Hash -ne $manifest.sha256) {
      throw 'quarterdeck-agent: the downloaded agent has the wrong checksum; nothing was changed'
    }
    Stop-Agent
    New-Item -ItemType Directory -Force $dir | Out-Null
    # Inherited rights would let every user read the secret.
    $owner = $identity.User.Value
    & icacls.exe $dir /inheritance:r /grant:r "*${owner}:(OI)(CI)F" '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' /Q | Out-Null
    Move-Item -Force $fetched $bundle
  } finally {
    Remove-Item -Force $fetched -ErrorAction SilentlyContinue
  }

  $settings = @{}
  if ($known) { $known.PSObject.Properties | ForEach-Object { $settings[$_.Name] = $_.Value } }
  $settings.server = $env:NZ_SERVER
  # With a code the agent makes a secret of its own, which the server takes with its first report.
  $settings.Remove('client_secret')
  $settings.Remove('enrollment_code')
  $settings.Remove('update_key')
  if ($env:QD_CODE) { $settings.enrollment_code = $env:QD_CODE } else { $settings.client_secret = $secret }
  $settings.tls = $isTls
  if ($env:QD_WATCH_ONLY -match '^(1|t|true)$') { $settings.watch_only = $true }
  if ($env:NZ_UUID) { $settings.uuid = $env:NZ_UUID }
  [IO.File]::WriteAllText($config, ($settings | ConvertTo-Json))

  $archive = New-TemporaryFile
  try {
    $platform = & $node -p 'process.platform + String.fromCharCode(45) + process.arch'
    Invoke-WebRequest -UseBasicParsing "$origin/agent/node-pty-$platform.tgz" -OutFile $archive
    & tar.exe -xzf $archive -C $dir
  } catch {
    Write-Output 'quarterdeck-agent: this server has no terminal module for Windows; everything else works'
  } finally {
    Remove-Item -Force $archive -ErrorAction SilentlyContinue
  }

  $action = New-ScheduledTaskAction -Execute $node -Argument "`"$bundle`" --supervise --config `"$config`"" -WorkingDirectory $dir
  $options = New-ScheduledTaskSettingsSet -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries -ExecutionTimeLimit 0 -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1)
  if ($isAdmin) {
    $trigger = New-ScheduledTaskTrigger -AtStartup
    $principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
  } else {
    $trigger = New-ScheduledTaskTrigger -AtLogOn -User $identity.Name
    $principal = New-ScheduledTaskPrincipal -UserId $identity.Name -LogonType Interactive
  }
  Register-ScheduledTask -Force -TaskName $task -Action $action -Trigger $trigger -Principal $principal -Settings $options | Out-Null
  Start-ScheduledTask -TaskName $task
  Write-Output "quarterdeck-agent: version $($manifest.version) is running as the scheduled task '$task', from $dir"
}

try {
  Install-QuarterdeckAgent
} finally {
  Remove-Item Env:QD_CODE, Env:QD_WATCH_ONLY, Env:NZ_CLIENT_SECRET, Env:NZ_SERVER, Env:NZ_TLS, Env:NZ_UUID, Env:QD_ACTION -ErrorAction SilentlyContinue
}
