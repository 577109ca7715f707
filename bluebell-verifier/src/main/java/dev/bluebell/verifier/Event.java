package dev.bluebell.verifier;

/**
 * Something that a device did while it executed an image.
 *
 * @param entry the WQE or receive entry that it did it for: "WQE 3 of queue 0x40 (worker)"
 * @param request the opcode's name; empty before the device has read it
 * @param what what it did: "reads buffer+0x0, 8 bytes"
 */
public record Event(String entry, String request, String what) {
  @Override
  public String toString() {
    return request.isEmpty()
        ? "%s %s".formatted(entry, what)
        : "%s (%s) %s".formatted(entry, request, what);
  }
}
