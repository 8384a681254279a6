curl https://pennytext.example/api/media \
  --header 'Authorization: Bearer YOUR_API_KEY' \
  --form file=@table.jpg
