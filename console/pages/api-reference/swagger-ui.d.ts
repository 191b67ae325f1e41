declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type { ComponentType, createElement } from 'react';

  // biome-ignore lint/suspicious/noExplicitAny: Swagger UI does not say what its components take.
  type Component = ComponentType<any>;

  export type Plugin = (system: { React: { createElement: typeof createElement } }) => {
    // biome-ignore lint/suspicious/noExplicitAny: the same
    wrapComponents: Record<string, (original: Component) => (props: any) => unknown>;
  };

  interface Options {
    readonly domNode: HTMLElement | null;
    readonly url: string;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly supportedSubmitMethods: readonly string[];
    readonly syntaxHighlight: boolean;
    readonly validatorUrl: string | null;
    readonly plugins: readonly Plugin[];
    readonly onComplete: () => void;
  }
  export default function SwaggerUi(options: Options): unknown;
}
