package dev.bluebell.cli.share;

import dev.bluebell.hca.HcaHappening;
import java.util.List;

/**
 * The events that a device recorded about an application, and its explanations of them.
 *
 * @param happenings the flight record of the application's objects
 * @param explanations sentences about them, oldest first
 * @param left what the device said of queues that the application had when it ended
 */
record ApplicationRecord(
    NamedDevice device,
    List<HcaHappening> happenings,
    List<String> explanations,
    List<String> left) {}
