import { Alert, Badge, type CSSVariablesResolver, createTheme, Text } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  // Darker than Mantine's own, so that white text on it is readable: a contrast of 4.5 at least.
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Text in the page's own colour: white on a colour is too pale in the dark, a colour on its tint in the light.
  components: {
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    Badge: Badge.extend({ defaultProps: { variant: 'dot' } }),
    Text: Text.extend({ defaultProps: { size: 'sm' } }),
    // By name, so that the first view does not load it.
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, styles: { title: { fontWeight: 700 } } },
    },
  },
});

/** Grey text with a contrast of 4.5 at least. */
export const cssVariables: CSSVariablesResolver = ({ colors: { gray, dark, red } }) => {
  const of = (grey: string, error: string) => ({
    '--mantine-color-dimmed': grey,
    '--mantine-color-placeholder': grey,
    '--mantine-color-error': error,
  });
  return { variables: {}, light: of(gray[7], red[9]), dark: of(dark[1], red[4]) };
};
