import { expect, test } from 'vitest'
import { scripts } from './completion.ts'

// bash, zsh and fish are run for real by tests/acceptance/completion.test.ts; PowerShell is not at hand there.
test('C-25 the script for PowerShell', () => {
  expect(scripts.powershell).toMatchInlineSnapshot(`
    "# qd completion for PowerShell: qd completion powershell | Out-String | Invoke-Expression
    Register-ArgumentCompleter -Native -CommandName qd -ScriptBlock {
      param($wordToComplete, $commandAst, $cursorPosition)
      $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
      if ($wordToComplete -eq '') { $words += '""' }
      qd __complete powershell @words 2>$null | ForEach-Object {
        $word, $help = $_ -split "\`t", 2
        if ($word -eq ':files') { return }
        $text = if ($word -match "[\\s'\`"\`$;|&(){}]") { "'" + $word.Replace("'", "''") + "'" } else { $word }
        if (-not $help) { $help = $word }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $help)
      }
    }
    "
  `)
})
