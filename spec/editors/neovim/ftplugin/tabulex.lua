-- Tables: words with hyphens, comments, and the language server, which checks, leads, renames and lays out.
vim.bo.commentstring = "// %s"
vim.bo.iskeyword = "@,48-57,-"
vim.bo.expandtab = true
vim.bo.shiftwidth = 4

local client = vim.lsp.start_client and vim.lsp.start_client({
  name = "tabulex",
  cmd = vim.g.tabulex_server or { "tabulex", "table", "lsp" },
  root_dir = vim.fn.getcwd(),
})
if client then vim.lsp.buf_attach_client(0, client) end
