module pennytext.example/pennytext

go 1.19
