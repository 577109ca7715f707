package dev.bluebell.cli.devx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An ioctl of uverbs, as recorded by {@code recorder.c}.
 *
 * @param object number of the kind of object
 * @param method its number among those of the kind
 * @param driver number of the kernel's driver
 * @param attributes by their numbers
 */
record RecordedCall(int object, int method, int driver, Map<Integer, Content> attributes) {

  /**
   * An attribute.
   *
   * @param flags 1 if the kernel must know it
   * @param length length in the attribute; 0 for handles
   * @param bytes the attribute's 8 bytes, or the data that it points to if that is longer
   */
  record Content(int flags, int length, byte[] bytes) {}

  /** All calls of a file, in order. */
  static List<RecordedCall> read(Path file) throws IOException {
    List<RecordedCall> calls = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      if (words[0].equals("call")) {
        calls.add(
            new RecordedCall(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                new TreeMap<>()));
      } else {
        Content unused =
            calls
                .getLast()
                .attributes()
                .put(
                    Integer.valueOf(words[1]),
                    new Content(
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]),
                        HexFormat.of().parseHex(words[4])));
      }
    }
    return calls;
  }
}
