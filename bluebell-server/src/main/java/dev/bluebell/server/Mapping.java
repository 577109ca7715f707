package dev.bluebell.server;

/**
 * A mapping of a process. Addresses are unsigned.
 *
 * @param from its first byte
 * @param to the byte after its last
 * @param protection as for mmap: {@code PROT_READ}, {@code PROT_WRITE} and {@code PROT_EXEC}
 * @param shared whether other processes see what is written to it
 * @param offset of its first byte in its file
 * @param inode of its file, 0 without one
 * @param name path of its file, or what it is for, in brackets; empty for other memory, and {@link
 *     #LONG_NAME} when it has more than {@link #MAX_NAME} bytes
 */
record Mapping(
    long from, long to, int protection, boolean shared, long offset, long inode, String name) {
  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;
  static final int PROT_EXEC = 4;

  static final int MAX_NAME = 64;
  static final String LONG_NAME = "a long name";

  // Fields of a line of /proc/PID/maps, see proc(5).
  private static final int PERMISSIONS = 1;
  private static final int OFFSET = 2;
  private static final int INODE = 4;
  private static final int NAME = 5;
  private static final int FIELDS = 6;

  /**
   * Reads a line of {@code /proc/PID/maps}.
   *
   * @param line as the kernel writes it, or its first 256 bytes
   */
  static Mapping parse(String line) {
    String[] fields = line.strip().split(" +", FIELDS);
    int dash = fields[0].indexOf('-');
    String permissions = fields[PERMISSIONS];
    String name = fields.length > NAME ? fields[NAME] : "";
    return new Mapping(
        Long.parseUnsignedLong(fields[0], 0, dash, 16),
        Long.parseUnsignedLong(fields[0], dash + 1, fields[0].length(), 16),
        (permissions.charAt(0) == 'r' ? PROT_READ : 0)
            | (permissions.charAt(1) == 'w' ? PROT_WRITE : 0)
            | (permissions.charAt(2) == 'x' ? PROT_EXEC : 0),
        permissions.charAt(3) == 's',
        Long.parseUnsignedLong(fields[OFFSET], 16),
        Long.parseUnsignedLong(fields[INODE]),
        name.length() > MAX_NAME ? LONG_NAME : name);
  }

  boolean allows(int wanted) {
    return (protection & wanted) == wanted;
  }
}
