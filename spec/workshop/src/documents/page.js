// The search box hides the states that do not have its text; "/" goes to it, Escape leaves it; "j" and "k" go through
// the states that differ; the check box hides those that do not, and the address keeps it.
const box = document.querySelector('input[type=search]');
const only = document.querySelector('input[type=checkbox]');
const states = [...document.querySelectorAll('section')];
let at = -1;

box.addEventListener('input', () => {
  const wanted = box.value.toLowerCase();
  for (const state of states) {
    state.hidden = !state.textContent.toLowerCase().includes(wanted);
  }
});

const parameters = new URLSearchParams(location.search);
const showOnly = () => document.body.classList.toggle('only-differences', only.checked);
only.checked = parameters.has('differences');
only.addEventListener('change', () => {
  const address = location.pathname + (only.checked ? '?differences' : '') + location.hash;
  // A page that is no file of its own has no address.
  if (location.protocol !== 'about:') history.replaceState(null, '', address);
  showOnly();
});
showOnly();

const go = step => {
  const loud = states.filter(state => !state.hidden && !state.classList.contains('same'));
  if (loud.length === 0) return;
  at = (at + step + loud.length) % loud.length;
  loud[at].focus();
  loud[at].scrollIntoView({ block: 'start' });
};

addEventListener('keydown', event => {
  if (event.target === box) {
    if (event.key === 'Escape') box.blur();
  } else if (event.key === '/') {
    event.preventDefault();
    box.focus();
  } else if (event.key === 'j') {
    go(1);
  } else if (event.key === 'k') {
    go(-1);
  }
});
