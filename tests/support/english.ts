import { createTranslator, loadLanguage } from '@qd/core/i18n'

/** The English texts by key: for a test that needs the element that carries a text, not its wording. */
export const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
