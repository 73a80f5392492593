// Lets the class of the guide verify an event: SECRET ID TIMESTAMP SIGNATURES BODY. Prints the status that a program would answer.
using System;
using System.Text;

public static class Program
{
    public static void Main(string[] words)
    {
        var isFromPeyk = PeykWebhook.Verify(words[0], words[1], words[2], words[3], Encoding.UTF8.GetBytes(words[4]));
        Console.WriteLine(isFromPeyk ? 204 : 401);
    }
}
