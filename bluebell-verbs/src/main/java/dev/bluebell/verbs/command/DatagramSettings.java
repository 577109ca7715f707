package dev.bluebell.verbs.command;

/**
 * The settings of a datagram queue pair.
 *
 * @param address its address
 * @param queueKey its queue key at first
 */
public record DatagramSettings(LocalAddress address, int queueKey) {}
