autocmd BufRead,BufNewFile *.states,*.modes setfiletype tabulex
