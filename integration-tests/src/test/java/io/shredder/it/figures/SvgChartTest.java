// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SvgChartTest {
    private static Document drawn(Scale x, Scale y, List<Curve> curves) throws Exception {
        String svg = SvgChart.draw(new Chart("id", "a < b & c", new Axis("x", x), new Axis("y", y), curves));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aDrawingIsWellFormedWithALineACurveAndACircleAPoint() throws Exception {
        var curves = List.of(
                new Curve("<one>", List.of(new Point(1, 2), new Point(4, 3))),
                new Curve("two", List.of(new Point(2, 1))),
                new Curve("nothing measured", List.of()));
        Document svg = drawn(Scale.LINEAR, Scale.LINEAR, curves);
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("a < b & c", "<one>")
                .doesNotContain("nothing");
    }

    @Test
    void greaterValuesLieFurtherUpAndRightOnEveryScale() throws Exception {
        for (Scale scale : Scale.values()) {
            Document svg = drawn(scale, scale, List.of(new Curve("c", List.of(new Point(3, 3), new Point(700, 700)))));
            Element low = (Element) svg.getElementsByTagName("circle").item(0);
            Element high = (Element) svg.getElementsByTagName("circle").item(1);
            assertThat(number(high, "cx")).as("%s", scale).isGreaterThan(number(low, "cx"));
            assertThat(number(high, "cy")).as("%s", scale).isLessThan(number(low, "cy"));
        }
    }

    @Test
    void aChartWithoutPointsCannotBeDrawn() {
        assertThatThrownBy(() -> drawn(Scale.LINEAR, Scale.LINEAR, List.of(new Curve("c", List.of()))))
                .hasMessageContaining("no points");
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }
}
