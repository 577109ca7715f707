package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.TrafficTest;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device that polls step and whose time passes only when it is idle. Excludes long
 * traffic, which runs on the lossy fabric with the same kind of time.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ExcludePackages({"dev.bluebell.conformance.binding", "dev.bluebell.conformance.vectors"})
@ExcludeTags(TrafficTest.TAG)
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "virtual")
class VirtualTimeTest {}
