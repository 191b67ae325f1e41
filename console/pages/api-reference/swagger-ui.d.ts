declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    readonly domNode: HTMLElement | null;
    readonly url: string;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly supportedSubmitMethods: readonly string[];
    readonly validatorUrl: string | null;
  }
  export default function SwaggerUi(options: Options): unknown;
}
