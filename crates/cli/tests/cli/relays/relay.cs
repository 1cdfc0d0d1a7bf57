using System;
using System.Diagnostics;
using System.IO;
using System.Threading;

class Relay {
    static void Carry(Stream from, Stream to) {
        try {
            var piece = new byte[65536];
            for (int count; (count = from.Read(piece, 0, piece.Length)) > 0; to.Flush()) {
                to.Write(piece, 0, count);
            }
            to.Close();
        } catch (IOException) {
            // The other end has left.
        }
    }

    static void Main(string[] words) {
        var start = new ProcessStartInfo(words[0], string.Join(" ", words, 1, words.Length - 1)) {
            UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true
        };
        var bot = Process.Start(start);
        var stdout = Console.OpenStandardOutput();
        new Thread(() => Carry(bot.StandardOutput.BaseStream, stdout)).Start();
        Carry(Console.OpenStandardInput(), bot.StandardInput.BaseStream);
    }
}
