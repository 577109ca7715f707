package dev.bluebell.report;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.counter.PortCounter;
import java.util.List;
import java.util.Map;

/**
 * What a report says of a device.
 *
 * @param name as the program knows it
 * @param record the flight record
 * @param explanations what the device explained, oldest first
 * @param before counters when the program began; empty for those that began at 0
 * @param after counters when it had ended; empty when they are not known
 */
public record ReportedDevice(
    String name,
    List<HcaHappening> record,
    List<String> explanations,
    Map<PortCounter, Long> before,
    Map<PortCounter, Long> after) {}
