import { expect, test } from 'vitest'
import { createTranslator, languages, loadLanguage } from '../i18n/index.ts'
import { resourceByName } from '../resources/index.ts'
import { emptyTitle } from './empty-title.ts'

test('issue 14: the heading of an empty list has its noun as inside a sentence, in every language', async () => {
  const titles = await Promise.all(
    languages.map(async (language) => {
      const translator = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
      return [
        language,
        ...(['sign-in-provider', 'api-token'] as const).map((name) => emptyTitle(translator, resourceByName(name))),
      ]
    }),
  )
  expect(titles).toMatchInlineSnapshot(`
    [
      [
        "zh-CN",
        "还没有登录方式",
        "还没有API 令牌",
      ],
      [
        "zh-TW",
        "還沒有登入方式",
        "還沒有API 權杖",
      ],
      [
        "en-US",
        "No sign-in providers yet",
        "No API tokens yet",
      ],
      [
        "ru-RU",
        "Провайдеры аутентификации: пока пусто",
        "API-токены: пока пусто",
      ],
      [
        "es-ES",
        "Proveedores de autenticación: aún no hay nada",
        "Tokens de API: aún no hay nada",
      ],
      [
        "de-DE",
        "Noch keine Anmeldedienste",
        "Noch keine API-Tokens",
      ],
      [
        "ta-IN",
        "இன்னும் உள்நுழைவு வழங்குநர்கள் இல்லை",
        "இன்னும் API டோக்கன்கள் இல்லை",
      ],
      [
        "it-IT",
        "Provider di autenticazione: ancora nulla",
        "Token API: ancora nulla",
      ],
    ]
  `)
})
