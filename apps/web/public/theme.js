// Sets the theme before the first paint; the console keeps it up to date afterwards. Must stay without imports.
;(() => {
  let theme = 'system'
  try {
    theme = localStorage.getItem('vite-ui-theme') || theme
  } catch {}
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
