package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.command.LocalAddress;

/**
 * The settings of a DC initiator.
 *
 * @param address its address
 * @param options options of its connections to targets
 */
public record DcSettings(LocalAddress address, ConnectOptions options) {}
