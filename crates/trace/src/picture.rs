//! The parts that all pictures of this project share: their colours, the frame, and marks on axes.

/// Colours that distinguish items, the most important first. Readers who see no red, no
/// green or no blue distinguish them, too.
pub const COLOURS: [&str; 10] = [
    "#0072b2", "#e69f00", "#661919", "#8c24f3", "#293456", "#c1380a", "#0ac166", "#e5a7fa",
    "#97cda5", "#896642",
];

/// The colour of all that has none of its own.
pub const OTHER: &str = "#9498a0";

/// The colour of lines behind what is shown.
const GRID: &str = "#dddddd";

/// The colour of labels on axes.
pub const LABEL: &str = "#555555";

/// Returns the beginning of a picture: a white ground of this size, and a title.
pub fn open((width, height): (f64, f64), left: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"18\">{}</text>\n",
        escape(title)
    )
}

/// Returns a line of the grid from one point to another, with its label. `anchor` says which end of
/// the label is at its point: start, middle or end.
pub fn mark(
    (x1, y1): (f64, f64),
    (x2, y2): (f64, f64),
    (x, y, anchor): (f64, f64, &str),
    label: &str,
) -> String {
    format!(
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{GRID}\"/>\
         <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{LABEL}\">{}</text>\n",
        escape(label)
    )
}

/// Returns a text as XML has it.
pub fn escape(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '&' => "&amp;".to_string(),
        '<' => "&lt;".to_string(),
        '>' => "&gt;".to_string(),
        '"' => "&quot;".to_string(),
        c if c.is_control() => " ".to_string(),
        c => c.to_string(),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; 3]; 3];

    /// Linear red, green and blue as readers see them who lack none of the cones, or one kind
    /// (Machado, Oliveira and Fernandes 2009, severity 1).
    const READERS: [(&str, Matrix); 4] = [
        ("all", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "no red",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "no green",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "no blue",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    /// The least distance of two colours in CIE's L*a*b* that counts as distinct; 2.3 is just
    /// noticeable side by side.
    const APART: f64 = 18.0;

    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
            let value = f64::from(value) / 255.0;
            match value <= 0.04045 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            }
        })
    }

    fn times(matrix: &Matrix, with: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(with).map(|(a, b)| a * b).sum::<f64>())
    }

    /// The colour in L*a*b*, under daylight.
    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let to_xyz = [
            [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
            [0.2126, 0.7152, 0.0722],
            [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
        ];
        let [x, y, z] =
            times(&to_xyz, rgb.map(|c| c.clamp(0.0, 1.0))).map(|t| match t > 0.008856 {
                true => t.cbrt(),
                false => 7.787 * t + 16.0 / 116.0,
            });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn colour_blind_readers_distinguish_all_colours() {
        let all: Vec<&str> = COLOURS.into_iter().chain([OTHER, "#ffffff"]).collect();
        for (reader, matrix) in &READERS {
            let seen: Vec<_> = all.iter().map(|c| lab(times(matrix, linear(c)))).collect();
            for (at, one) in seen.iter().enumerate() {
                for (other, two) in seen.iter().enumerate().skip(at + 1) {
                    let squares = one.iter().zip(two).map(|(a, b)| (a - b) * (a - b));
                    let distance = squares.sum::<f64>().sqrt();
                    assert!(
                        distance >= APART,
                        "{reader}: {} and {} are {distance:.1} apart",
                        all[at],
                        all[other]
                    );
                }
            }
        }
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("a<b>&\"c"), "a&lt;b&gt;&amp;&quot;c");
        assert!(open((10.0, 5.0), 1.0, "a<b").contains(">a&lt;b</text>"));
    }
}
