/** Common passwords, as password crackers try them first. */
const passwords = `
password passwort passwords passphrase passcode pass motdepasse contrasena parola haslo letmein welcome willkommen
admin administrator root login master secret geheim private privat default guest user test testing changeme temp
dragon monkey tiger lion eagle shadow sunshine princess prinzessin superman batman spiderman starwars pokemon naruto
football fussball soccer baseball hockey basketball liverpool arsenal chelsea barcelona juventus michael jordan daniel
thomas andrew jessica ashley nicole charlie maggie ginger pepper cookie chocolate schokolade cheese banana summer
sommer winter spring autumn herbst monday freedom trustno iloveyou love lovely lover ichliebedich schatz hallo hello
bonjour qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl yxcvbnm zxcvbn zxcvbnm qazwsx abc abcd abcdef computer
internet google facebook apple samsung microsoft windows linux whatever nothing killer hunter ranger buster harley
mustang ferrari porsche mercedes matrix ninja jesus christ god bauta mask masks email mail
`;

/** Well-known sayings and word series, as password crackers try them first. */
const phrases = `
correct horse battery staple
to be or not to be that is the question
sein oder nicht sein das ist hier die frage
may the force be with you
i love you so much
let me in please
open sesame
this is my password
this is my secret passphrase
the quick brown fox jumps over the lazy dog
pack my box with five dozen liquor jugs
franz jagt im komplett verwahrlosten taxi quer durch bayern
lorem ipsum dolor sit amet consectetur adipiscing elit
once upon a time in a land far far away
it was the best of times it was the worst of times
in the beginning was the word
in the beginning god created the heaven and the earth
our father who art in heaven hallowed be thy name
vater unser im himmel geheiligt werde dein name
the lord is my shepherd i shall not want
we the people of the united states
we hold these truths to be self evident
four score and seven years ago
i have a dream
ask not what your country can do for you
one small step for man one giant leap for mankind
houston we have a problem
i think therefore i am
cogito ergo sum carpe diem
veni vidi vici
je pense donc je suis
liberte egalite fraternite
einigkeit und recht und freiheit
god save the king
god save the queen
live long and prosper
winter is coming
one ring to rule them all one ring to find them
you shall not pass
hello darkness my old friend
never gonna give you up never gonna let you down
is this the real life is this just fantasy
all you need is love
imagine there is no heaven
happy birthday to you
twinkle twinkle little star how i wonder what you are
mary had a little lamb its fleece was white as snow
humpty dumpty sat on a wall
row row row your boat gently down the stream
jack and jill went up the hill
alle meine entchen schwimmen auf dem see
all work and no play makes jack a dull boy
an apple a day keeps the doctor away
all your base are belong to us
the cake is a lie
hakuna matata
elementary my dear watson
frankly my dear i do not give a damn
zero one two three four five six seven eight nine ten eleven twelve
eins zwei drei vier acht neun
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
red orange yellow green blue indigo violet
alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima
alpha beta gamma delta epsilon
spring summer autumn winter
north east south west
`;

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

export const commonPasswords: ReadonlySet<string> = new Set(wordsOf(passwords));

/** Two successive words of a saying, such as "correct horse". */
export const commonWordPairs: ReadonlySet<string> = new Set(
  phrases.split("\n").flatMap((phrase) => {
    const words = wordsOf(phrase);
    return words.slice(1).map((word, before) => `${words[before]} ${word}`);
  }),
);
