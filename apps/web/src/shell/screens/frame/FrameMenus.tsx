import { useValue } from '@legendapp/state/react'
import { languages } from '@qd/core/i18n'
import type { Theme } from '@qd/core/store'
import { session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import type { AnyIcon } from '../../../ui/drawings/Icon.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'

const themes = { light: 'sun', dark: 'moon', system: 'monitor' } as const satisfies Record<Theme, AnyIcon>

export function ThemeMenu() {
  const { t } = useTexts()
  const theme = useValue(session.state$.theme)
  const entries = (Object.keys(themes) as Theme[]).map((name) => ({
    id: name,
    label: t(`ui.theme.${name}`),
    icon: themes[name],
    chosen: name === theme,
    run: () => session.setTheme(name),
  }))
  return (
    <Menu label={t('ui.frame.themeMenu')} entries={entries}>
      <IconButton label={t('ui.frame.theme', { theme: t(`ui.theme.${theme}`) })} icon={themes[theme]} />
    </Menu>
  )
}

export function LanguageMenu() {
  const { translator, say, t } = useTexts()
  const entries = languages.map((language) => ({
    id: language,
    label: say(`resources.setting.options.language.${language}`),
    chosen: language === translator.language,
    run: () => session.setLanguage(language),
  }))
  return (
    <Menu label={t('ui.frame.language')} entries={entries}>
      <Button tone="ghost" size="small" icon="languages">
        {say(`resources.setting.options.language.${translator.language}`)}
      </Button>
    </Menu>
  )
}
