declare module '*.css';
declare module '*?raw' {
  const text: string;
  export default text;
}
/** A style as text inside the script that imports it. Vite never loads a separate style file again after a failure. */
declare module '*.css?inline' {
  const style: string;
  export default style;
}
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUi(options: object): void;
}
