import { render } from 'preact';
import { App } from './app.tsx';
import { prefix } from './data.ts';

// Notifications link to a path without a fragment, because some mail programs remove fragments.
const linked = /^\/incidents\/[\w-]+$/.exec(location.pathname.slice(prefix.length))?.[0];
if (linked !== undefined && location.hash === '') history.replaceState(null, '', `${prefix}/#${linked}`);

const place = document.getElementById('page');
if (place !== null) render(<App />, place);
