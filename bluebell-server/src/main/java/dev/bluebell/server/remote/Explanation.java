package dev.bluebell.server.remote;

/**
 * What a device process explained to an observer.
 *
 * @param pid the process whose request or call failed, as the device process sees it; 0 if none is
 *     known
 * @param process its number and name, for people to read; empty if none is known
 */
public record Explanation(int pid, String process, String sentence) {
  static Explanation take(Message message) {
    return new Explanation(message.takeInt(), message.takeString(), message.takeString());
  }

  Message put(Message message) {
    return message.put(pid).put(process).put(sentence);
  }
}
