import { useTexts } from '../../../base/state/texts.ts'
import { Input } from '../../../ui/inputs/Input.tsx'

export function CodeInput(props: {
  value: string
  onChange: (code: string) => void
  error: string | null | undefined
}) {
  const { t } = useTexts()
  return (
    <Input
      label={t('ui.secondFactor.code')}
      help={t('ui.secondFactor.help')}
      size="login"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}
