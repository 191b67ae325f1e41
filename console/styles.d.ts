declare module '*.css';
declare module '*?raw' {
  const text: string;
  export default text;
}
/** A style that is part of the file that imports it: Vite would not load a file of its own again after a failure. */
declare module '*.css?inline' {
  const style: string;
  export default style;
}
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUi(options: object): void;
}
