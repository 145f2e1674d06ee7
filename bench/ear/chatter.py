"""What people say at a table that is not for the narrator; written for the bench, said in no training sentence."""

CHATTER = {
    "fr": """
Attends, qui a encore ses cartes ?
Tu peux me passer les chips s'il te plaît ?
Mais non, je n'ai rien dit du tout, moi.
Je crois qu'elle ment depuis le début.
Oui mais alors pourquoi tu as voté contre tout à l'heure ?
On commence dans combien de temps ?
C'est toujours pareil avec lui, il accuse tout le monde.
Regarde sa tête, il rigole.
Je propose qu'on mange quelque chose avant.
Franchement, je ne comprends rien à ce qui se passe.
Il y avait deux contes rouges, donc c'est forcément toi.
Non non non, écoute-moi deux secondes.
La dernière fois, on avait perdu exactement comme ça.
Vous avez fini de parler tous en même temps ?
Quelqu'un veut encore du café ?
Je passe mon temps à me faire accuser pour rien.
Moi je dis que c'est lui, et je n'en démords pas.
Laisse-la finir sa phrase au moins.
Si on vote maintenant, on va droit dans le mur.
Ah bon ? Tu étais où, toi, pendant ce temps-là ?
C'est bon, c'est bon, j'ai compris.
Oh là là, quelle soirée !
Ça fait trois tours que personne ne dit la vérité.
Qui veut ouvrir la fenêtre, il fait une chaleur ici.
Elle a dit oui, puis elle a dit non, on ne sait plus.
Je t'aide pas, débrouille-toi tout seul.
T'inquiète, on a encore largement le temps.
Et toi, tu en penses quoi ?
Pas si vite, je n'ai pas suivi.
Arrête de parler plus fort que tout le monde.
Il est quelle heure, là ?
J'ai nommé personne, moi, c'est pas vrai.
On se fait une dernière partie après celle-là ?
Le chien veut sortir, je reviens.
Mets la musique un peu moins fort, on ne s'entend plus.
Six personnes sur dix, c'est déjà pas mal.
Mon frère joue beaucoup mieux que moi à ces trucs-là.
Tu bluffes tellement mal, c'est magnifique.
C'est pas moi qui le dis, c'est le règlement.
Bon, alors, qu'est-ce qu'on fait ?
""".strip().splitlines(),
    "en": """
Wait, who still has their cards?
Could you pass me the crisps, please?
But I didn't say anything at all.
I think she has been lying from the start.
Yes, but then why did you vote against it earlier?
How long until we begin?
It's always the same with him, he accuses everybody.
Look at his face, he is laughing.
I propose that we eat something first.
Honestly, I have no idea what is going on.
There were two red tales, so it must be you.
No, no, no, listen to me for two seconds.
Last time we lost exactly like this.
Have you all finished talking at the same time?
Does anybody want more coffee?
I spend my time being accused of nothing.
I say it is him, and I won't change my mind.
At least let her finish her sentence.
If we vote now, we run straight into a wall.
Oh really? And where were you all that time?
All right, all right, I understand.
Oh dear, what an evening!
For three rounds nobody has told the truth.
Who wants to open the window, it is so hot in here.
She said yes, then she said no, nobody knows any more.
I am not helping you, work it out yourself.
Don't worry, there is plenty of time.
And you, what do you make of it?
Not so fast, I didn't follow.
Stop talking louder than everybody else.
What time is it now?
I nominated nobody, that is not true.
Shall we play one last game after this one?
The dog wants to go out, I'll be right back.
Turn the music down a little, we can't hear each other.
Six people out of ten, that is not bad at all.
My brother is much better at this than I am.
You bluff so badly, it is wonderful.
It's not me who says so, it's the rules.
Well then, what do we do?
""".strip().splitlines(),
}
