package dev.bluebell.program.image;

/**
 * Where a client starts the program: it sends one message to a queue pair, and the receive entry
 * that takes it scatters the bytes over the program.
 *
 * @param name what the client asks for
 * @param qpn number of the program's queue pair that the client is connected to
 * @param messageBytes length of the message
 */
public record EntryPoint(String name, int qpn, int messageBytes) {}
