-- What Neovim's own client gets from the language server: its port and a table are in the environment.
local port, file = vim.env.SERVER_PORT, vim.env.SERVER_TABLE

local function fail(message)
  io.stderr:write(message .. "\n")
  vim.cmd("cquit")
end

local function wait(what, holds)
  if not vim.wait(20000, holds, 20) then fail("waited in vain: " .. what) end
end

local function is(what, found, wanted)
  if found ~= wanted then fail(what .. ": " .. vim.inspect(found) .. ", not " .. vim.inspect(wanted)) end
end

-- Standard input and output of the server are a socket here.
local join = "until { exec 3<>/dev/tcp/127.0.0.1/" .. port .. "; } 2>/dev/null; do sleep 0.1; done; exec 4<&0; cat <&4 >&3 & cat <&3; kill $!"
local client = vim.lsp.start_client({ name = "tabulex", cmd = { "bash", "-c", join }, root_dir = vim.fn.fnamemodify(file, ":h") })
vim.cmd("edit " .. vim.fn.fnameescape(file))
vim.lsp.buf_attach_client(0, client)
wait("the client", function() return vim.lsp.get_client_by_id(client) ~= nil and vim.lsp.get_client_by_id(client).initialized end)

local function ask(method, line, column, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = column } }
  for name, value in pairs(more or {}) do params[name] = value end
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  if not answers or not answers[client] then fail(method .. " has no answer") end
  if answers[client].error then fail(method .. ": " .. vim.inspect(answers[client].error)) end
  return answers[client].result
end

local function line_of(text)
  return vim.fn.search("\\V" .. text, "nw") - 1
end

-- `switch tag` leads to the state.
local row = line_of("switch tag;")
local definition = ask("textDocument/definition", row, 25)
is("the definition", definition[1].range.start.line, line_of("state tag @"))
is("hover", ask("textDocument/hover", row, 25).contents.value:match("section ([%d.]+)"), "1.2")

-- A mistake is marked, and its mend removes it.
vim.api.nvim_buf_set_lines(0, row, row + 1, true, { "        '<'   => switch tga;" })
wait("the mistake", function() return #vim.diagnostic.get(0) > 0 end)
is("the mistake", vim.diagnostic.get(0)[1].lnum, row)
local marked = vim.diagnostic.get(0)[1].user_data.lsp
local fixes = ask("textDocument/codeAction", row, 25, {
  range = { start = { line = row, character = 25 }, ["end"] = { line = row, character = 25 } },
  context = { diagnostics = { {
    range = { start = { line = row, character = 24 }, ["end"] = { line = row, character = 27 } },
    code = marked.code, message = vim.diagnostic.get(0)[1].message,
  } } },
})
is("the quick fix", fixes[1].title, "write `tag`")
vim.lsp.util.apply_workspace_edit(fixes[1].edit, "utf-16")
is("the mended line", vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1], "        '<'   => switch tag;")
wait("no mistake", function() return #vim.diagnostic.get(0) == 0 end)

-- A state gets another name wherever it stands, and the layout follows.
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", row, 25, { newName = "opened" }), "utf-16")
is("the renamed row", vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1], "        '<'   => switch opened;")
if line_of("state opened @") < 0 then fail("the state has its old name") end
vim.api.nvim_buf_set_lines(0, row, row + 1, true, { "  '<'   =>   switch opened;" })
vim.lsp.util.apply_text_edits(ask("textDocument/formatting", 0, 0, { options = { tabSize = 4, insertSpaces = true } }), vim.api.nvim_get_current_buf(), "utf-16")
is("the laid out row", vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1], "        '<'   => switch opened;")

io.stderr:write("all is well\n")
vim.lsp.get_client_by_id(client).stop()
wait("the end", function() return vim.lsp.client_is_stopped(client) end)
vim.cmd("qall!")
