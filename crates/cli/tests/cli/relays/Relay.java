import java.io.InputStream;
import java.io.OutputStream;

public class Relay {
    static void carry(InputStream from, OutputStream to) {
        try {
            byte[] piece = new byte[65536];
            for (int count; (count = from.read(piece)) > 0; to.flush()) {
                to.write(piece, 0, count);
            }
            to.close();
        } catch (java.io.IOException gone) {
            // The other end has left.
        }
    }

    public static void main(String[] words) throws Exception {
        Process bot = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        new Thread(() -> carry(bot.getInputStream(), System.out)).start();
        carry(System.in, bot.getOutputStream());
    }
}
