type Settings = {
  stage: string;
  wallet: 'real' | 'simulated';
  /** The streets below the points of a map: an address such as `https://tiles.example/{z}/{x}/{y}.png`. */
  mapTiles?: { url: string; attribution: string };
};

export const settings: Settings = {
  stage: '',
  wallet: 'real',
  ...JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=console-settings]')?.content || '{}'),
};
