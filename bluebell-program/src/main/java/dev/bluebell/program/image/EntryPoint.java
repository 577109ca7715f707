package dev.bluebell.program.image;

/**
 * An entry point of the program: the client sends one message to a queue pair, whose receive entry
 * scatters the bytes over the program.
 *
 * @param name name of the service
 * @param qpn number of the program's queue pair that the client is connected to
 * @param messageBytes length of the message
 */
public record EntryPoint(String name, int qpn, int messageBytes) {}
