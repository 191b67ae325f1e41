interface Settings {
  readonly wallet: 'real' | 'simulated';
  /** Of the map; `url` is `https://tiles.example/{z}/{x}/{y}.png`. */
  readonly mapTiles?: { readonly url: string; readonly attribution: string };
}

/** What the stage says of itself in the page. */
export const settings: Settings = {
  wallet: 'real',
  ...JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=console-settings]')?.content || '{}'),
};
