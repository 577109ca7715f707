package dev.bluebell.verbs;

/**
 * The settings of a DC initiator.
 *
 * @param address its address
 * @param options how it talks to targets
 */
record DcSettings(LocalAddress address, ConnectOptions options) {}
